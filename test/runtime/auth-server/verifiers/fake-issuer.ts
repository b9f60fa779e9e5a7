import { base64url, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from "jose";
import type { FetchLike } from "../../../../runtime/src/http-client/fetch-like.js";

export const resource = "https://mcp.example.com/mcp";

/** A key pair of a fake issuer. */
export interface IssuerKey {
  readonly algorithm: string;
  readonly jwk: JWK;
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
}

const pairs = new Map<string, Promise<IssuerKey>>();

/** Returns the same key for the same id: making RSA keys is slow. */
export function issuerKey(keyId: string, algorithm = "ES256"): Promise<IssuerKey> {
  const id = `${keyId} ${algorithm}`;
  const made = pairs.get(id) ?? makeKey(keyId, algorithm);
  pairs.set(id, made);
  return made;
}

async function makeKey(keyId: string, algorithm: string): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { algorithm, jwk: { ...(await exportJWK(publicKey)), kid: keyId, alg: algorithm, use: "sig" }, privateKey };
}

export interface TokenParts {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Default: the first key of the issuer. */
  readonly key?: IssuerKey | undefined;
}

/** The seconds since 1970, now. */
export function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** The claims of a valid token; undefined members are left out. */
export function validClaims(issuer: string): Record<string, unknown> {
  return {
    iss: issuer,
    aud: resource,
    sub: "user-1",
    client_id: "client-1",
    scope: "files:read files:write",
    iat: seconds(),
    exp: seconds() + 300,
  };
}

/** An issuer of JWTs that is reached through its `fetch` only. It counts requests, and can be down. */
export class FakeIssuer {
  readonly requests: string[] = [];
  keys: readonly IssuerKey[];
  /** Replaces the responses to some URLs, for example the end of one. */
  readonly replies = new Map<string, () => Response | Promise<Response>>();
  isDown = false;

  private constructor(
    readonly issuer: string,
    first: IssuerKey,
  ) {
    this.keys = [first];
  }

  static async create(issuer = "https://auth.example.com"): Promise<FakeIssuer> {
    return new FakeIssuer(issuer, await issuerKey("first"));
  }

  get jwksUri(): string {
    return new URL("/jwks", this.issuer).href;
  }

  /** How often the keys were requested. */
  get keyRequests(): number {
    return this.requests.filter((url) => url === this.jwksUri).length;
  }

  readonly fetch: FetchLike = async (url) => {
    this.requests.push(url.href);
    // A response never arrives at once.
    await Promise.resolve();
    if (this.isDown) throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    for (const [end, reply] of this.replies) if (url.href.endsWith(end)) return reply();
    if (url.href === this.jwksUri) return Response.json({ keys: this.keys.map(({ jwk }) => jwk) });
    if (url.pathname.includes("/.well-known/oauth-authorization-server"))
      return Response.json({ issuer: this.issuer, jwks_uri: this.jwksUri, token_endpoint: `${this.issuer}/token` });
    return new Response(null, { status: 404 });
  };

  async token({ claims, header, key = this.keys[0] }: TokenParts = {}): Promise<string> {
    if (!key) throw new Error("the issuer has no key");
    const { algorithm: alg, jwk, privateKey } = key;
    const protectedHeader = { alg, kid: jwk.kid, typ: "at+jwt", ...header } as JWTHeaderParameters;
    return new SignJWT(defined({ ...validClaims(this.issuer), ...claims }))
      .setProtectedHeader(defined(protectedHeader))
      .sign(privateKey);
  }
}

/** A JWT of any header and claims, with this signature. */
export function rawToken(header: unknown, claims: unknown, signature = ""): string {
  return [header, claims].map((part) => base64url.encode(JSON.stringify(part))).join(".") + `.${signature}`;
}

function defined<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}
