import type { AuthorizationServer } from "oauth4webapi";
import { exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import type { CryptoKey, JWK } from "jose";
import { AuthorizationError } from "../auth-errors.js";
import { sha256 } from "./sha256.js";

const algorithm = "ES256";
const maxOrigins = 100;
const maxImported = 1_000;
/** The characters of a nonce (RFC 9449, section 8.1), and the length that a header can carry. */
const nonceSyntax = /^[\x21\x23-\x5b\x5d-\x7e]{1,1024}$/;

interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
}

/**
 * A key that tokens are bound to, and the proofs that this client has it (RFC 9449), with ES256. The providers of this package make
 * and store such keys by themselves (option `dpop`); use the class in an `AuthProvider` of your own.
 *
 * To use the tokens after a restart, store `privateJwk` with them, and keep it as secret as them.
 *
 * @example
 * ```ts
 * const key = await DpopKey.from(stored.dpopKey); // or: await DpopKey.generate()
 * const authProvider: AuthProvider = {
 *   token: () => stored.accessToken,
 *   headers: async (token, { method, url }) => ({
 *     authorization: `DPoP ${token}`,
 *     dpop: await key.proof(method, url, token),
 *   }),
 *   onResponse: (response, { url }) => void key.learnNonce(response, url),
 *   // The server rejects the first request, whose proof has no nonce yet.
 *   onUnauthorized: ({ response }) => response.headers.has("dpop-nonce"),
 * };
 * ```
 */
export class DpopKey {
  /** Importing a key takes longer than signing a proof. */
  static readonly #imported = new Map<string, DpopKey>();

  readonly #key: CryptoKey;
  readonly #publicJwk: PublicJwk;
  /** The newest nonce of each origin. */
  readonly #nonces = new Map<string, string>();

  private constructor(
    key: CryptoKey,
    publicJwk: PublicJwk,
    /** The private key, as a JWK. */
    readonly privateJwk: Readonly<JWK>,
  ) {
    this.#key = key;
    this.#publicJwk = publicJwk;
  }

  /** Makes a new key. */
  static async generate(): Promise<DpopKey> {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    return DpopKey.from(await exportJWK(privateKey));
  }

  /**
   * Returns the key of stored tokens. The same JWK gives the same object, which knows the nonces.
   * @throws AuthorizationError `store-failed` when it is not a private key for ES256
   */
  static async from(jwk: Readonly<JWK>): Promise<DpopKey> {
    const { kty, crv, x, y, d } = jwk;
    if (kty !== "EC" || crv !== "P-256" || !x || !y || !d) throw invalidKey();
    const id = `${x}.${y}.${d}`;
    const known = DpopKey.#imported.get(id);
    if (known) return known;
    const privateJwk = { kty, crv, x, y, d };
    const key = await importJWK(privateJwk, algorithm).catch(() => {
      throw invalidKey();
    });
    // Another call may have imported it in the meantime.
    const again = DpopKey.#imported.get(id);
    if (again) return again;
    const dpopKey = new DpopKey(key as CryptoKey, { kty, crv, x, y }, privateJwk);
    remember(DpopKey.#imported, id, dpopKey, maxImported);
    return dpopKey;
  }

  /**
   * Signs a proof for one request; each request and each repetition needs its own.
   * @param accessToken the token that the request carries; none at the token endpoint
   */
  async proof(method: string, url: URL, accessToken?: string): Promise<string> {
    const nonce = this.#nonces.get(url.origin);
    const claims = {
      htm: method,
      // Without query and fragment (RFC 9449, section 4.2).
      htu: url.origin + url.pathname,
      ...(accessToken !== undefined && { ath: await sha256(accessToken) }),
      ...(nonce !== undefined && { nonce }),
    };
    return new SignJWT(claims)
      .setProtectedHeader({ typ: "dpop+jwt", alg: algorithm, jwk: this.#publicJwk })
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .sign(this.#key);
  }

  /**
   * Remembers the `DPoP-Nonce` of a response for the next proofs to the same origin.
   * @returns whether it has a nonce: a request that was rejected for lack of it can then be repeated
   */
  learnNonce(response: Pick<Response, "headers">, url: URL): boolean {
    const nonce = response.headers.get("dpop-nonce");
    if (nonce === null || !nonceSyntax.test(nonce)) return false;
    remember(this.#nonces, url.origin, nonce, maxOrigins);
    return true;
  }
}

/**
 * Whether an authorization server announces that it verifies proofs of a `DpopKey` (RFC 9449, section 5.1); undefined when it
 * announces nothing about DPoP.
 */
export function acceptsDpopProofs(metadata: AuthorizationServer): boolean | undefined {
  const algorithms: unknown = metadata.dpop_signing_alg_values_supported;
  return Array.isArray(algorithms) ? algorithms.includes(algorithm) : undefined;
}

function invalidKey(): AuthorizationError {
  return new AuthorizationError(
    "store-failed",
    "The stored DPoP key is not a private P-256 key in JWK form; delete the stored tokens and authorize again",
  );
}

/** Sets a value, and forgets the oldest one when there are too many. */
function remember<Value>(values: Map<string, Value>, key: string, value: Value, max: number): void {
  values.delete(key);
  values.set(key, value);
  if (values.size > max) values.delete(values.keys().next().value ?? key);
}
