export { JSONRPC_VERSION } from "./types/constants.js";
export { OAuthError, OAuthErrorCode } from "./shared/oauth-error.js";
export type { OAuthErrorResponse, OAuthMetadata, OAuthProtectedResourceMetadata } from "./shared/oauth-types.js";
export { bearerAuthChallengeResponse, requireBearerAuth, verifyBearerToken } from "./shared/bearer-auth.js";
export type { BearerAuthOptions, OAuthTokenVerifier, VerifyBearerTokenOptions } from "./shared/bearer-auth.js";
export {
  buildOAuthProtectedResourceMetadata,
  getOAuthProtectedResourceMetadataUrl,
  oauthMetadataResponse,
} from "./shared/resource-metadata.js";
export type { AuthMetadataOptions } from "./shared/resource-metadata.js";
export {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  validateHostHeader,
  validateOriginHeader,
} from "./shared/host-guards.js";
export type { HostHeaderValidationResult, OriginValidationResult } from "./shared/host-guards.js";
export { DEFAULT_MAX_REQUEST_BODY_SIZE, isJsonContentType, readRequestBody } from "./shared/request-body.js";
