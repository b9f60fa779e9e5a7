/** Checks the access tokens of requests to a protected server, as RFC 6750, RFC 9068 and RFC 9449 demand. */
import { createHash, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { calculateJwkThumbprint, createRemoteJWKSet, EmbeddedJWK, type JWTPayload, jwtVerify } from "jose";
import type { AuthServer } from "./auth-server.js";

/** A request was rejected: the status, and the parameters of the challenge. */
export class Rejection extends Error {
  constructor(
    readonly status: 401 | 403,
    readonly parameters: Readonly<Record<string, string>> = {},
    readonly scheme?: "DPoP",
  ) {
    super(parameters["error"] ?? "no token");
  }
}

export interface AccessToken {
  /** The user; the client if there is none. */
  readonly subject: string;
  readonly scopes: readonly string[];
}

export interface TokenRequirements {
  readonly resource: string;
  readonly tokens: "jwt" | "opaque";
  /** Whether only DPoP-bound tokens are accepted. */
  readonly dpop: boolean;
  /** Whether proofs need the nonce that the server has issued last. */
  readonly dpopNonces: boolean;
}

export class TokenChecker {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #seen = new Set<string>();
  nonce: string = randomUUID();

  constructor(
    readonly authServer: AuthServer,
    readonly required: TokenRequirements,
  ) {
    this.#keys = createRemoteJWKSet(new URL(`${authServer.issuer}/jwks`));
  }

  /** @throws Rejection */
  async check(method: string, headers: IncomingHttpHeaders): Promise<AccessToken> {
    const [, scheme, token] = /^(Bearer|DPoP) ([\w.~+/=-]+)$/i.exec(headers.authorization ?? "") ?? [];
    if (scheme === undefined || token === undefined) throw new Rejection(401);
    const claims = this.required.tokens === "jwt" ? await this.#verify(token) : await this.#introspect(token);
    const bound = (claims["cnf"] as { readonly jkt?: string } | undefined)?.jkt;
    if ((bound !== undefined || this.required.dpop) !== (scheme.toLowerCase() === "dpop")) throw invalidToken();
    if (bound !== undefined) await this.#checkProof(headers["dpop"], method, token, bound);
    const { sub, client_id = "", scope = "" } = claims as Record<string, string | undefined>;
    return { subject: sub ?? client_id, scopes: scope.split(" ").filter((name) => name !== "") };
  }

  async #verify(token: string): Promise<JWTPayload> {
    const { resource: audience } = this.required;
    const { issuer } = this.authServer;
    return jwtVerify(token, this.#keys, { issuer, audience, typ: "at+jwt", algorithms: ["ES256"] }).then(
      ({ payload }) => payload,
      () => {
        throw invalidToken();
      },
    );
  }

  async #introspect(token: string): Promise<Readonly<Record<string, unknown>>> {
    const claims = await this.authServer.introspect(token);
    if (claims["active"] !== true || claims["aud"] !== this.required.resource) throw invalidToken();
    return claims;
  }

  async #checkProof(proof: string | string[] | undefined, method: string, token: string, bound: string): Promise<void> {
    const invalid = new Rejection(401, { error: "invalid_dpop_proof" }, "DPoP");
    if (typeof proof !== "string") throw invalid;
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: "dpop+jwt",
      algorithms: ["ES256"],
      maxTokenAge: 60,
    }).catch(() => {
      throw invalid;
    });
    if (this.required.dpopNonces && payload["nonce"] !== this.nonce)
      throw new Rejection(401, { error: "use_dpop_nonce" }, "DPoP");
    const { jwk } = protectedHeader;
    if (
      !jwk ||
      (await calculateJwkThumbprint(jwk)) !== bound ||
      payload["htm"] !== method ||
      payload["htu"] !== this.required.resource ||
      payload["ath"] !== createHash("sha256").update(token).digest("base64url") ||
      payload.jti === undefined ||
      this.#seen.has(payload.jti)
    )
      throw invalid;
    this.#seen.add(payload.jti);
  }
}

function invalidToken(): Rejection {
  return new Rejection(401, { error: "invalid_token" });
}
