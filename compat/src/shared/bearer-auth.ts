import type { AuthInfo } from "../types/index.js";
import { OAuthError, OAuthErrorCode } from "./oauth-error.js";

/** Checks access tokens. */
export interface OAuthTokenVerifier {
  /** @throws OAuthError `invalid_token` for a token that is not valid */
  verifyAccessToken(token: string): Promise<AuthInfo>;
}

export interface BearerAuthOptions {
  verifier: OAuthTokenVerifier;
  /** The scopes that a token must have. */
  requiredScopes?: string[];
  /** The URL of the metadata that a challenge names, by which clients find the authorization server. */
  resourceMetadataUrl?: string;
}

export interface VerifyBearerTokenOptions extends BearerAuthOptions {
  /** The resource for which tokens must be issued. Default: any. */
  expectedResource?: URL;
}

/**
 * Checks the token of an `Authorization` header.
 * @throws OAuthError `invalid_token` or `insufficient_scope`, and the errors of the verifier
 */
export async function verifyBearerToken(
  authorizationHeader: string | null | undefined,
  options: VerifyBearerTokenOptions,
): Promise<AuthInfo> {
  const { verifier, requiredScopes = [], expectedResource, resourceMetadataUrl } = options;
  const invalid = (message: string): OAuthError => new OAuthError(OAuthErrorCode.InvalidToken, message);
  if (!authorizationHeader) throw invalid("Missing Authorization header");
  const [scheme, token] = authorizationHeader.split(" ");
  if (scheme?.toLowerCase() !== "bearer" || !token)
    throw invalid("Invalid Authorization header format, expected 'Bearer TOKEN'");
  const authInfo = await verifier.verifyAccessToken(token);
  const { scopes, expiresAt, resource } = authInfo;
  if (expectedResource && (!resource || withoutFragment(resource) !== withoutFragment(expectedResource)))
    throw invalid("Token was not issued for this resource");
  if (!requiredScopes.every((scope) => scopes.includes(scope)))
    throw new OAuthError(OAuthErrorCode.InsufficientScope, "Insufficient scope");
  if (typeof expiresAt !== "number" || Number.isNaN(expiresAt)) throw invalid("Token has no expiration time");
  if (expiresAt < Date.now() / 1000) throw invalid("Token has expired");
  return resourceMetadataUrl === undefined || authInfo.resourceMetadataUrl !== undefined
    ? authInfo
    : { ...authInfo, resourceMetadataUrl };
}

/** A resource without its fragment and one slash at its end. Verifiers may report a string. */
function withoutFragment(resource: URL | string): string {
  const [address = ""] = String(resource).split("#", 1);
  return address.replace(/\/$/, "");
}

const statuses: Readonly<Record<string, number>> = {
  [OAuthErrorCode.InvalidToken]: 401,
  [OAuthErrorCode.InsufficientScope]: 403,
  [OAuthErrorCode.ServerError]: 500,
};

/** A response to a request without a valid token: its parts, for any framework. */
export interface Challenge {
  readonly status: number;
  /** The value of `WWW-Authenticate`, where the client can do something about the error. */
  readonly header: string | undefined;
  readonly error: OAuthError;
}

export function challengeFor(
  thrown: unknown,
  options: Pick<BearerAuthOptions, "requiredScopes" | "resourceMetadataUrl"> = {},
): Challenge {
  const error =
    thrown instanceof OAuthError ? thrown : new OAuthError(OAuthErrorCode.ServerError, "Internal Server Error");
  const status = statuses[error.code] ?? 400;
  const { requiredScopes = [], resourceMetadataUrl } = options;
  const parameters = [
    ["error", error.code],
    ["error_description", error.message],
    ["scope", requiredScopes.join(" ")],
    ["resource_metadata", resourceMetadataUrl ?? ""],
  ].flatMap(([name = "", value = ""], index) => (index < 2 || value !== "" ? [`${name}="${quoted(value)}"`] : []));
  const isChallenged = status === 401 || status === 403;
  return { status, error, header: isChallenged ? `Bearer ${parameters.join(", ")}` : undefined };
}

/** The content of a quoted string (RFC 9110, 5.6.4); other characters than those of ASCII become blanks. */
function quoted(value: string): string {
  return value.replaceAll(/[\\"]/g, "\\$&").replaceAll(/[^ -~]/g, " ");
}

export function bearerAuthChallengeResponse(
  error: unknown,
  options?: Pick<BearerAuthOptions, "requiredScopes" | "resourceMetadataUrl">,
): Response {
  const challenge = challengeFor(error, options);
  const headers = challenge.header === undefined ? {} : { "WWW-Authenticate": challenge.header };
  return Response.json(challenge.error.toResponseObject(), { status: challenge.status, headers });
}

/** Returns a function that resolves to the client of a request, or to the response that rejects the request. */
export function requireBearerAuth(
  options: VerifyBearerTokenOptions,
): (request: Request) => Promise<AuthInfo | Response> {
  return async (request) => {
    // Several header lines arrive as one.
    const [header] = (request.headers.get("authorization") ?? "").split(",");
    try {
      return await verifyBearerToken(header, options);
    } catch (error) {
      return bearerAuthChallengeResponse(error, options);
    }
  };
}
