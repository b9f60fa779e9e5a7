import type { CryptoKey, JWK } from "jose";

/** The algorithms of proofs. */
export const DPOP_SUPPORTED_ALGS = [
  "ES256",
  "ES384",
  "ES512",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "EdDSA",
] as const;

export type DpopAlg = (typeof DPOP_SUPPORTED_ALGS)[number];

export interface DpopKeyPair {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  publicJwk: JWK;
  /** RFC 7638. */
  thumbprint: string;
  alg: DpopAlg;
}

export interface GenerateDpopKeyPairOptions {
  /** Default: `ES256`. */
  alg?: DpopAlg;
  /** Whether the private key can be exported. Default: `false`. */
  extractable?: boolean;
}

export async function generateDpopKeyPair(options: GenerateDpopKeyPairOptions = {}): Promise<DpopKeyPair> {
  const { alg = "ES256", extractable = false } = options;
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import("jose");
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable });
  const publicJwk = await exportJWK(publicKey);
  return { privateKey, publicKey, publicJwk, thumbprint: await calculateJwkThumbprint(publicJwk), alg };
}

/** The hash by which a proof names its token (RFC 9449, section 4.2). */
export async function accessTokenHash(accessToken: string): Promise<string> {
  return base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(accessToken)));
}

export function base64url(bytes: ArrayBuffer | Uint8Array): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export interface DpopProofRequest {
  htm: string;
  htu: string | URL;
  accessToken?: string;
  nonce?: string;
}

/** A key to which tokens are bound, with the nonces of the servers that it is shown to (RFC 9449). */
export class DpopSession {
  readonly #keyPair: DpopKeyPair;
  readonly #nonces = new Map<string, string>();

  private constructor(keyPair: DpopKeyPair) {
    this.#keyPair = keyPair;
  }

  static async create(options: { alg?: DpopAlg; keyPair?: DpopKeyPair } = {}): Promise<DpopSession> {
    return new DpopSession(options.keyPair ?? (await generateDpopKeyPair(options.alg && { alg: options.alg })));
  }

  get thumbprint(): string {
    return this.#keyPair.thumbprint;
  }

  get alg(): DpopAlg {
    return this.#keyPair.alg;
  }

  get publicJwk(): JWK {
    return this.#keyPair.publicJwk;
  }

  /** The newest nonce of the origin of a URL. */
  nonceFor(url: string | URL): string | undefined {
    return this.#nonces.get(new URL(url).origin);
  }

  rememberNonce(url: string | URL, nonce: string): void {
    this.#nonces.set(new URL(url).origin, nonce);
  }

  observeNonce(response: Response, url: string | URL): void {
    const nonce = response.headers.get("dpop-nonce");
    if (nonce) this.rememberNonce(url, nonce);
  }

  async buildProof({ htm, htu, accessToken, nonce = this.nonceFor(htu) }: DpopProofRequest): Promise<string> {
    const { SignJWT } = await import("jose");
    const { origin, pathname } = new URL(htu);
    const claims = {
      htm,
      // Without query and fragment.
      htu: origin + pathname,
      ...(nonce !== undefined && { nonce }),
      ...(accessToken !== undefined && { ath: await accessTokenHash(accessToken) }),
    };
    return new SignJWT(claims)
      .setProtectedHeader({ typ: "dpop+jwt", alg: this.alg, jwk: this.publicJwk })
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .sign(this.#keyPair.privateKey);
  }
}

/** Whether a response asks for a proof with a nonce: one of an authorization server, or of a resource. */
export function isDpopNonceChallenge(response: Response): boolean {
  if (!response.headers.has("dpop-nonce")) return false;
  if (response.status === 400) return true;
  return response.status === 401 && (response.headers.get("www-authenticate") ?? "").includes("use_dpop_nonce");
}
