import {
  InvalidTokenError,
  type OAuthTokenVerifier,
  type TokenContext,
  type TokenFacts,
  TokenVerificationError,
} from "../auth-server.js";
import { matchAudience } from "../auth-server/match-audience.js";
import { OpenedValues } from "./engine/opened-values.js";
import { StoreAdapter, type StoreAccess, storedId } from "./engine/store-adapter.js";
import type { ProxyClaims } from "./proxy-claims.js";

/** Looks access tokens up in the store, so that a token ends the moment that it is revoked. */
export class ProxyVerifier implements OAuthTokenVerifier<ProxyClaims> {
  readonly issuers: readonly string[];
  readonly #issuer: string;
  readonly #tokens: StoreAdapter;
  readonly #grants: StoreAdapter;

  constructor(issuer: string, access: StoreAccess) {
    this.#issuer = issuer;
    this.issuers = [issuer];
    this.#tokens = new StoreAdapter("AccessToken", access, new OpenedValues());
    this.#grants = new StoreAdapter("Grant", access, new OpenedValues());
  }

  async verifyAccessToken(token: string, { resource }: TokenContext): Promise<TokenFacts<ProxyClaims>> {
    if (!/^[\w-]{20,100}$/.test(token))
      throw new InvalidTokenError("malformed", "the token was not issued by this authorization server");
    const { accountId, clientId, grantId, aud, scope = "", iat = 0, exp = 0, jkt } = (await this.#find(token)) ?? {};
    if (accountId === undefined || clientId === undefined || typeof aud !== "string")
      throw new InvalidTokenError("inactive", "the token is unknown, expired or revoked");
    if (exp * 1_000 <= Date.now()) throw new InvalidTokenError("expired", "the token has expired");
    if (!matchAudience([aud], [resource]))
      throw new InvalidTokenError("audience", "the token was issued for another resource");
    if (grantId === undefined || !(await this.#isGranted(grantId)))
      throw new InvalidTokenError("inactive", "the token was revoked");
    return {
      issuer: this.#issuer,
      subject: accountId,
      clientId,
      scopes: scope.split(" ").filter((name) => name !== ""),
      expiresAt: exp,
      audience: [aud],
      keyThumbprint: jkt,
      claims: { iss: this.#issuer, sub: accountId, client_id: clientId, scope, aud, iat, exp },
    };
  }

  #find(token: string): ReturnType<StoreAdapter["find"]> {
    return this.#ask(() => this.#tokens.find(token));
  }

  async #isGranted(grantId: string): Promise<boolean> {
    return (await this.#ask(() => this.#grants.get(storedId(grantId)))) !== undefined;
  }

  async #ask<Value>(question: () => Promise<Value>): Promise<Value> {
    try {
      return await question();
    } catch (cause) {
      throw new TokenVerificationError("the store of the authorization server failed", { cause });
    }
  }
}
