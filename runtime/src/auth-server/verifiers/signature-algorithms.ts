import { SdkError } from "../../jsonrpc/errors.js";

/** The public keys that fit a signature algorithm. */
export interface KeyType {
  readonly kty: string;
  readonly crv?: string;
}

const rsa: KeyType = { kty: "RSA" };
const ed25519: KeyType = { kty: "OKP", crv: "Ed25519" };

/**
 * The signature algorithms with public keys (RFC 7518, section 3.1; RFC 8037; RFC 9864). HMAC is missing on purpose: a public key
 * would be its secret.
 */
export const signatureAlgorithms: ReadonlyMap<string, KeyType> = new Map([
  ["RS256", rsa],
  ["RS384", rsa],
  ["RS512", rsa],
  ["PS256", rsa],
  ["PS384", rsa],
  ["PS512", rsa],
  ["ES256", { kty: "EC", crv: "P-256" }],
  ["ES384", { kty: "EC", crv: "P-384" }],
  ["ES512", { kty: "EC", crv: "P-521" }],
  ["EdDSA", ed25519],
  ["Ed25519", ed25519],
]);

/**
 * Checks the option `algorithms`.
 * @throws SdkError `INVALID_CONFIGURATION` for an algorithm without public keys, such as `HS256` or `none`
 */
export function acceptedAlgorithms(given?: readonly string[]): ReadonlySet<string> {
  const accepted = new Set(given ?? signatureAlgorithms.keys());
  const wrong = [...accepted].find((name) => !signatureAlgorithms.has(name));
  if (wrong === undefined && accepted.size > 0) return accepted;
  throw new SdkError(
    "INVALID_CONFIGURATION",
    `algorithms must be a list of signature algorithms with public keys${wrong === undefined ? "" : `, which ${wrong} is not`}: ${[...signatureAlgorithms.keys()].join(", ")}`,
  );
}
