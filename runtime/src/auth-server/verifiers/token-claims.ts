import { isObject } from "../../jsonrpc/guards.js";
import { isScopeName } from "../../rules/scope-names.js";
import type { TokenFacts } from "../auth-info.js";
import { matchAudience } from "../match-audience.js";
import { InvalidTokenError } from "../token-errors.js";

type Claims = Readonly<Record<string, unknown>>;

/** What the claims of a token are compared with. */
export interface ClaimRules {
  /** The token must be issued for one of them. */
  readonly audience: readonly string[];
  /** Seconds by which the clocks of this server and of the issuer may differ. */
  readonly leewaySeconds: number;
  /** Seconds since `iat` after which a token is not accepted. */
  readonly maxTokenAgeSeconds: number;
}

/**
 * Checks the times and the audience of a token, and reads the other claims (RFC 7519, section 4.1; RFC 9068, section 2.2). The
 * members of an introspection response have the same names (RFC 7662, section 2.2).
 * @throws InvalidTokenError `claims`, `expired`, `not-yet-valid`, `audience`; its message contains no value
 */
export function readClaims(claims: Claims, issuer: string, rules: ClaimRules): TokenFacts {
  const expiresAt = checkTimes(claims, rules);
  const audience = matchAudience(readAudience(claims["aud"]), rules.audience);
  if (!audience) throw new InvalidTokenError("audience", "the token was issued for another resource");
  const clientId = readText(claims, "client_id") ?? readText(claims, "azp");
  const subject = readText(claims, "sub") ?? clientId;
  if (subject === undefined) throw invalid("names neither a subject (sub) nor a client (client_id)");
  return {
    issuer,
    subject,
    clientId,
    scopes: readScopes(claims),
    expiresAt,
    audience,
    keyThumbprint: readThumbprint(claims["cnf"]),
    claims,
  };
}

/** @returns the end of its lifetime, in seconds since 1970 */
function checkTimes(claims: Claims, { leewaySeconds, maxTokenAgeSeconds }: ClaimRules): number {
  const now = Date.now() / 1_000;
  const expiresAt = readTime(claims, "exp");
  const issuedAt = readTime(claims, "iat");
  const validFrom = readTime(claims, "nbf");
  if (expiresAt === undefined) throw invalid("has no end (exp)");
  if (maxTokenAgeSeconds < Infinity && issuedAt === undefined) throw invalid("has no time of issue (iat)");
  const end = Math.min(expiresAt, (issuedAt ?? 0) + maxTokenAgeSeconds);
  if (end <= now - leewaySeconds) throw new InvalidTokenError("expired", "the token has expired");
  if (Math.max(validFrom ?? 0, issuedAt ?? 0) > now + leewaySeconds)
    throw new InvalidTokenError("not-yet-valid", "the token is not valid yet");
  return end;
}

/** JSON can express numbers that are read as infinite. */
function readTime(claims: Claims, name: string): number | undefined {
  const { [name]: value } = claims;
  if (value === undefined || (typeof value === "number" && Number.isFinite(value))) return value;
  throw invalid(`has an invalid time (${name})`);
}

function readAudience(value: unknown): readonly string[] {
  const audience: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (audience.every((item) => typeof item === "string")) return audience;
  throw invalid("has no audience (aud), or an invalid one");
}

function readText(claims: Claims, name: string): string | undefined {
  const { [name]: value } = claims;
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  throw invalid(`has an invalid ${name}`);
}

/** `scope` of RFC 9068 is one string; Entra ID sends `scp`, other servers a list. Impossible names of scopes are left out. */
function readScopes({ scope, scp }: Claims): readonly string[] {
  const value = scope ?? scp ?? [];
  const names: readonly unknown[] =
    typeof value === "string" ? value.split(" ") : Array.isArray(value) ? value : [value];
  if (!names.every((name) => typeof name === "string")) throw invalid("has invalid scopes");
  return [...new Set(names.filter(isScopeName))];
}

/** @returns undefined for a token that is not bound to a key */
function readThumbprint(confirmation: unknown): string | undefined {
  if (confirmation === undefined) return undefined;
  const { jkt } = isObject(confirmation) ? confirmation : {};
  // The sender of a token that is bound to a certificate would not have to prove anything.
  if (!isObject(confirmation) || typeof jkt !== "string" || Object.hasOwn(confirmation, "x5t#S256"))
    throw new InvalidTokenError("proof", "the token is bound in a way that this server cannot check (cnf without jkt)");
  if (!/^[\w-]{43}$/.test(jkt)) throw invalid("has an invalid thumbprint (cnf.jkt)");
  return jkt;
}

function invalid(problem: string): InvalidTokenError {
  return new InvalidTokenError("claims", `the token ${problem}`);
}
