import { type CryptoKey, importJWK, type JWK } from "jose";
import { isObject } from "../../jsonrpc/guards.js";
import { signatureAlgorithms } from "../signature-algorithms.js";
import { InvalidTokenError } from "../token-errors.js";

type Members = Readonly<Record<string, unknown>>;

/** The key that the header of a token asks for. */
export interface WantedKey {
  readonly algorithm: string;
  readonly keyId: string | undefined;
}

/** Keys without `kid` that are tried for one token: each costs a verification. */
const maxCandidates = 4;
/** Shorter keys are too weak (RFC 7518, section 3.3). */
const minRsaBits = 2_048;
/** The two names of the signatures with Ed25519 (RFC 9864). */
const edwards = ["EdDSA", "Ed25519"];

/** One version of a JSON Web Key Set (RFC 7517, section 5). Imports a key when a token needs it. */
export class PublicKeys {
  readonly #keys: readonly Members[];
  readonly #imports = new Map<string, Promise<CryptoKey | undefined>>();

  /** @param document undefined `keys` are an empty set; keys that are not understood are ignored */
  constructor(document: unknown) {
    const keys: readonly unknown[] = isObject(document) && Array.isArray(document["keys"]) ? document["keys"] : [];
    this.#keys = keys.filter(isObject);
  }

  /**
   * Returns the keys that may have signed a token: all that fit its algorithm, or of those the ones with its `kid`.
   * @returns none when the set does not contain its key
   * @throws InvalidTokenError `algorithm` when the key with its `kid` does not fit
   */
  async find({ algorithm, keyId }: WantedKey): Promise<readonly CryptoKey[]> {
    const named = this.#keys.flatMap((key, index) => (keyId === undefined || key["kid"] === keyId ? [index] : []));
    const fitting = named.filter((index) => fits(this.#keys[index] ?? {}, algorithm));
    const imported = await Promise.all(fitting.slice(0, maxCandidates).map((index) => this.#import(index, algorithm)));
    const keys = imported.filter((key) => key !== undefined);
    if (keys.length === 0 && named.length > 0 && keyId !== undefined)
      throw new InvalidTokenError("algorithm", "the signature algorithm of the token does not fit its key");
    return keys;
  }

  /** Whether a key can verify signatures of an algorithm. */
  has(algorithm: string): boolean {
    return this.#keys.some((key) => fits(key, algorithm));
  }

  #import(index: number, algorithm: string): Promise<CryptoKey | undefined> {
    const id = `${index} ${algorithm}`;
    const found = this.#imports.get(id) ?? importKey(this.#keys[index] ?? {}, algorithm);
    this.#imports.set(id, found);
    return found;
  }
}

/** Whether type, use and algorithm of a key allow to verify such signatures (RFC 7517, section 4). */
function fits({ kty, crv, use, key_ops: operations, alg }: Members, algorithm: string): boolean {
  const type = signatureAlgorithms.get(algorithm);
  return (
    type !== undefined &&
    kty === type.kty &&
    (type.crv === undefined || crv === type.crv) &&
    (use === undefined || use === "sig") &&
    (operations === undefined || (Array.isArray(operations) && operations.includes("verify"))) &&
    (alg === undefined || alg === algorithm || (edwards.includes(algorithm) && edwards.some((name) => name === alg)))
  );
}

/** Returns undefined for a key that must not be used: invalid, private, or too short. */
async function importKey(jwk: Members, algorithm: string): Promise<CryptoKey | undefined> {
  try {
    const { kty, crv, n, e, x, y } = jwk;
    // Only the members of a public key: others could make it private, or prevent its use.
    const key = await importJWK({ kty, crv, n, e, x, y } as JWK, algorithm);
    if (key instanceof Uint8Array || key.type !== "public") return undefined;
    const { modulusLength = Infinity } = key.algorithm as { readonly modulusLength?: number };
    return modulusLength < minRsaBits ? undefined : key;
  } catch {
    // The set of an issuer may contain keys that this host does not support.
    return undefined;
  }
}
