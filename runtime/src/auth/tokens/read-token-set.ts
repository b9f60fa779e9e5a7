import type { TokenEndpointResponse } from "oauth4webapi";
import { AuthorizationError } from "../auth-errors.js";
import type { DpopKey } from "./dpop.js";
import type { TokenSet } from "./token-set.js";

/** The characters of a token in an `Authorization` header (RFC 6750, section 2.1; RFC 9449, section 7.1), and visible others. */
const tokenSyntax = /^[\x21-\x7e]+$/;
/** About a hundred years: a date that every clock can represent. */
const maxLifetimeMs = 3e12;

/** The request that a token response belongs to. */
export interface RequestedTokens {
  readonly issuer: string;
  readonly clientId: string;
  /** The scopes of the request; undefined when it had none. */
  readonly scopes: readonly string[] | undefined;
  readonly dpop: DpopKey | undefined;
  /** Whether a token that is not bound to `dpop` is an error. */
  readonly mustBeBound: boolean;
}

/** @throws AuthorizationError `token-invalid` when the token cannot be used, or has a type that was not requested */
export function readTokenSet(response: TokenEndpointResponse, requested: RequestedTokens): TokenSet {
  const { issuer, clientId, dpop, mustBeBound } = requested;
  const { access_token: accessToken, token_type: type, expires_in: lifetime, refresh_token: refreshToken } = response;
  const invalid = (problem: string): AuthorizationError =>
    new AuthorizationError("token-invalid", `The token endpoint of ${issuer} ${problem}`, { issuer });
  if (!tokenSyntax.test(accessToken)) throw invalid("sent an access_token with characters that a header cannot carry");
  const isBound = type === "dpop";
  if (isBound && !dpop) throw invalid("sent a DPoP token, but the request had no DPoP proof");
  if (!isBound && mustBeBound)
    throw invalid(
      "sent a Bearer token, but the option `dpop: true` demands one that is bound to the key of this client",
    );
  return {
    accessToken,
    scheme: isBound ? "DPoP" : "Bearer",
    ...(lifetime !== undefined && { expiresAt: Date.now() + Math.min(lifetime * 1_000, maxLifetimeMs) }),
    ...(refreshToken !== undefined && { refreshToken }),
    scopes: splitScopes(response.scope) ?? requested.scopes ?? [],
    issuer,
    clientId,
    ...(isBound && dpop && { dpopKey: dpop.privateJwk }),
  };
}

/** Returns the scopes of a `scope` parameter (RFC 6749, section 3.3), each once; undefined when there are none. */
export function splitScopes(scope: string | undefined): readonly string[] | undefined {
  const scopes = new Set(scope?.split(/\s+/));
  scopes.delete("");
  return scopes.size === 0 ? undefined : [...scopes];
}
