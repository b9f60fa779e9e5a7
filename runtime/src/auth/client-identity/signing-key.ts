import { importJWK, importPKCS8 } from "jose";
import type { CryptoKey, JWK } from "jose";
import { SdkError } from "../../jsonrpc/errors.js";

/** A private key: a `CryptoKey`, a JWK, or PKCS#8 as PEM text, which begins with `-----BEGIN PRIVATE KEY-----`. */
export type PrivateKey = CryptoKey | JWK | string | Uint8Array;

/** A key that signs client assertions, ready for use. */
export interface LoadedKey {
  readonly key: CryptoKey;
  readonly kid: string | undefined;
  /** The JWS algorithm of the signatures; undefined for a `CryptoKey`, which has one algorithm. */
  readonly algorithm: string | undefined;
}

/** The algorithms of RFC 7518 and RFC 8037, the most common ones first. A key fits those of its type and curve. */
const algorithms = [
  "ES256",
  "RS256",
  "Ed25519",
  "EdDSA",
  "PS256",
  "ES384",
  "ES512",
  "RS384",
  "RS512",
  "PS384",
  "PS512",
];

/** Imports a private key for the algorithms that an authorization server accepts. */
export class SigningKey {
  readonly #provide: () => PrivateKey | Promise<PrivateKey>;
  readonly #algorithm: string | undefined;
  readonly #keyId: string | undefined;
  /** The imported forms of one key. Importing takes longer than signing. */
  #imports: { readonly source: PrivateKey; readonly keys: Map<string, Promise<CryptoKey | undefined>> } | undefined;

  /**
   * @param algorithm the only algorithm to use. Default: that of the JWK, else the first one that the server accepts
   * @param keyId Default: the `kid` of the JWK
   */
  constructor(
    source: PrivateKey | (() => PrivateKey | Promise<PrivateKey>),
    algorithm: string | undefined,
    keyId: string | undefined,
  ) {
    this.#provide = typeof source === "function" ? source : () => source;
    this.#algorithm = algorithm;
    this.#keyId = keyId;
  }

  /**
   * @param accepted the algorithms that the server lists; undefined when it lists none
   * @returns undefined when the key fits none of them
   * @throws SdkError `INVALID_CONFIGURATION` when it is not a private key
   */
  async load(accepted: readonly string[] | undefined): Promise<LoadedKey | undefined> {
    const source = await this.#provide();
    if (isCryptoKey(source)) {
      if (source.type === "private" && source.usages.includes("sign"))
        return { key: source, kid: this.#keyId, algorithm: undefined };
      throw new SdkError(
        "INVALID_CONFIGURATION",
        "privateKey is a CryptoKey that cannot sign: it must be private, with the usage sign",
      );
    }
    const jwk = typeof source === "string" || source instanceof Uint8Array ? undefined : source;
    const kid = this.#keyId ?? jwk?.kid;
    const own = this.#algorithm ?? jwk?.alg;
    const candidates = own === undefined ? algorithms : [own];
    let isReadable = false;
    for (const algorithm of candidates) {
      const isAccepted = accepted?.includes(algorithm) ?? true;
      if (!isAccepted && isReadable) continue;
      const key = await this.#import(source, algorithm);
      if (key && isAccepted) return { key, kid, algorithm };
      if (key) isReadable = true;
    }
    if (isReadable) return undefined;
    throw new SdkError("INVALID_CONFIGURATION", `privateKey cannot be read: ${hintFor(source, own)}`);
  }

  #import(source: PrivateKey, algorithm: string): Promise<CryptoKey | undefined> {
    if (this.#imports?.source !== source) this.#imports = { source, keys: new Map() };
    const { keys } = this.#imports;
    const key = keys.get(algorithm) ?? importKey(source, algorithm);
    keys.set(algorithm, key);
    return key;
  }
}

/** Returns undefined when the key has another type, or is not one. */
async function importKey(source: PrivateKey, algorithm: string): Promise<CryptoKey | undefined> {
  try {
    if (source instanceof Uint8Array) return await importPKCS8(new TextDecoder().decode(source), algorithm);
    if (typeof source === "string") return await importPKCS8(source, algorithm);
    const key = await importJWK(source as JWK, algorithm);
    return key instanceof Uint8Array || key.type !== "private" ? undefined : key;
  } catch {
    // The caller tries other algorithms, and reports a key that fits none.
    return undefined;
  }
}

function isCryptoKey(key: PrivateKey): key is CryptoKey {
  return typeof key === "object" && Object.prototype.toString.call(key) === "[object CryptoKey]";
}

function hintFor(source: PrivateKey, algorithm: string | undefined): string {
  const expected = "it must be a private CryptoKey, a private JWK, or PKCS#8 as PEM text";
  const text = source instanceof Uint8Array ? new TextDecoder().decode(source) : source;
  if (typeof text === "string" && /^\s*-----BEGIN (?:RSA|EC|ENCRYPTED) /.test(text))
    return `${expected}; convert it with \`openssl pkcs8 -topk8 -nocrypt\``;
  return algorithm === undefined ? expected : `${expected}, and fit the algorithm ${algorithm}`;
}
