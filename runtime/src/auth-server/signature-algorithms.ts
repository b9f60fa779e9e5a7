/** What WebCrypto needs for the signatures of one algorithm (RFC 7518, section 3.1; RFC 8037; RFC 9864). */
export interface SignatureAlgorithm {
  /** The type of its keys, and their curve; RSA keys have none. */
  readonly kty: string;
  readonly crv?: string;
  readonly importParams: EcKeyImportParams | RsaHashedImportParams | Algorithm;
  readonly verifyParams: EcdsaParams | RsaPssParams | Algorithm;
}

/**
 * The signature algorithms with public keys that WebCrypto supports on all hosts, Node 20 included. HMAC is missing on purpose: a public
 * key would be its secret.
 */
export const signatureAlgorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ["ES256", ecdsa("P-256", "SHA-256")],
  ["ES384", ecdsa("P-384", "SHA-384")],
  ["ES512", ecdsa("P-521", "SHA-512")],
  ["Ed25519", ed25519()],
  // The older name.
  ["EdDSA", ed25519()],
  ["PS256", pss("SHA-256", 32)],
  ["PS384", pss("SHA-384", 48)],
  ["PS512", pss("SHA-512", 64)],
  ["RS256", pkcs1("SHA-256")],
  ["RS384", pkcs1("SHA-384")],
  ["RS512", pkcs1("SHA-512")],
]);

function ecdsa(namedCurve: string, hash: string): SignatureAlgorithm {
  return {
    kty: "EC",
    crv: namedCurve,
    importParams: { name: "ECDSA", namedCurve },
    verifyParams: { name: "ECDSA", hash },
  };
}

function ed25519(): SignatureAlgorithm {
  const params = { name: "Ed25519" };
  return { kty: "OKP", crv: "Ed25519", importParams: params, verifyParams: params };
}

function pss(hash: string, saltLength: number): SignatureAlgorithm {
  return { kty: "RSA", importParams: { name: "RSA-PSS", hash }, verifyParams: { name: "RSA-PSS", saltLength } };
}

function pkcs1(hash: string): SignatureAlgorithm {
  const name = "RSASSA-PKCS1-v1_5";
  return { kty: "RSA", importParams: { name, hash }, verifyParams: { name } };
}
