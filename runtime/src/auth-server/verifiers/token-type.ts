import { InvalidTokenError } from "../token-errors.js";
import { mediaSubtype, type ParsedJwt } from "./parse-jwt.js";

/** The `typ` of access tokens (RFC 9068, section 2.1). */
const accessTokenType = "at+jwt";
/** The values of `typ` that JWTs of every kind have. */
const generalTypes: readonly (string | undefined)[] = [undefined, "jwt"];
/** Claims of ID tokens (OpenID Connect Core 1.0, sections 2 and 3.3.2.11), and of events such as a log-out (RFC 8417). */
const foreignClaims = ["nonce", "at_hash", "c_hash", "s_hash", "events"];
/** Claims that access tokens of authorization servers have which do not follow RFC 9068, and ID tokens have not. */
const ownClaims = ["scope", "scp", "client_id", "cid", "appid", "azpacr", "roles", "permissions", "gty", "jkt", "cnf"];

/**
 * Checks that a JWT is an access token: an issuer also signs ID tokens, log-out tokens and responses.
 * @param accepted the accepted values of `typ`. Default: `at+jwt`; and `JWT` or none, when the claims are those of an access token
 * @throws InvalidTokenError `malformed`
 */
export function checkTokenType({ type, claims }: ParsedJwt, accepted: readonly string[] | undefined): void {
  if (accepted) {
    if (type !== undefined && accepted.some((name) => mediaSubtype(name) === type)) return;
  } else if (type === accessTokenType || (generalTypes.includes(type) && isAccessToken(claims))) return;
  throw new InvalidTokenError("malformed", "the token is not an access token of an accepted type (typ)");
}

function isAccessToken(claims: Readonly<Record<string, unknown>>): boolean {
  const { typ, token_use: use } = claims;
  // Keycloak and Amazon Cognito name the kind of a token in a claim.
  if (typ !== undefined) return typ === "Bearer" || typ === "DPoP";
  if (use !== undefined) return use === "access";
  return (
    !foreignClaims.some((name) => Object.hasOwn(claims, name)) && ownClaims.some((name) => Object.hasOwn(claims, name))
  );
}
