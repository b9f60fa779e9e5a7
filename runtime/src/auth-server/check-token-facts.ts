import { isObject } from "../jsonrpc/guards.js";
import { isScopeName } from "../rules/scope-names.js";
import type { TokenFacts } from "./auth-info.js";
import { matchAudience } from "./match-audience.js";
import { InvalidTokenError } from "./token-errors.js";
import { maxLeewaySeconds } from "./verifiers/leeway.js";

/** What the result of a verifier is compared with. */
export interface ExpectedFacts {
  readonly issuers: readonly string[];
  /** One of them must be in the token's audience. */
  readonly audiences: readonly string[];
}

/**
 * Checks what a verifier returned once more, because everything that a server does for a client rests on it.
 * @returns a copy that the verifier cannot change
 * @throws InvalidTokenError when the token was issued by another issuer or for another resource, or has expired
 * @throws TypeError when the verifier returned something other than facts: a bug of the verifier
 */
export function checkTokenFacts<Claims extends object>(
  facts: TokenFacts<Claims>,
  { issuers, audiences }: ExpectedFacts,
): TokenFacts<Claims> {
  if (!isObject(facts)) throw bug("must return an object with the members of TokenFacts");
  const { issuer, subject, clientId, scopes, expiresAt, audience, keyThumbprint, claims } = facts as TokenFacts<Claims>;
  if (!isText(issuer)) throw bug("must return the issuer, a non-empty string");
  if (!isText(subject)) throw bug("must return the subject, a non-empty string");
  if (clientId !== undefined && !isText(clientId))
    throw bug("must return the clientId as a non-empty string or undefined");
  if (!isTexts(scopes)) throw bug("must return the scopes, an array of strings");
  if (!isTexts(audience)) throw bug("must return the audience, an array of strings");
  if (!Number.isFinite(expiresAt))
    throw bug(
      "must return expiresAt, the seconds since 1970 at which the token expires; tokens without an end are not accepted",
    );
  if (keyThumbprint !== undefined && !isText(keyThumbprint))
    throw bug("must return the keyThumbprint as a non-empty string or undefined");
  if (!isObject(claims)) throw bug("must return the claims, an object");
  if (!issuers.includes(issuer))
    throw new InvalidTokenError(
      "issuer",
      "The token was issued by an authorization server that this server does not trust",
    );
  if (!matchAudience(audience, audiences))
    throw new InvalidTokenError("audience", "The token was issued for another resource");
  assertNotExpired(expiresAt, maxLeewaySeconds);
  return {
    issuer,
    subject,
    clientId,
    // Others cannot be required by a server, and cannot be sent in a header.
    scopes: Object.freeze(scopes.filter(isScopeName)),
    expiresAt,
    audience: Object.freeze([...audience]),
    keyThumbprint,
    claims,
  };
}

/** @param expiresAt seconds since 1970 @throws InvalidTokenError */
export function assertNotExpired(expiresAt: number, leewaySeconds: number): void {
  if (Date.now() >= (expiresAt + leewaySeconds) * 1_000)
    throw new InvalidTokenError("expired", "The token has expired");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function bug(problem: string): TypeError {
  return new TypeError(`verifyAccessToken ${problem}`);
}
