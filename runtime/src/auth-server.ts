/** @module auth/server */
export { AuthInfo, type TokenFacts } from "./auth-server/auth-info.js";
export type { DpopNonceOptions, DpopOptions } from "./auth-server/dpop/dpop-options.js";
export { MemoryReplayStore, type MemoryReplayStoreOptions } from "./auth-server/dpop/memory-replay-store.js";
export type { ReplayStore } from "./auth-server/replay-store.js";
export { InvalidTokenError, type InvalidTokenReason, TokenVerificationError } from "./auth-server/token-errors.js";
export type { OAuthTokenVerifier, TokenContext } from "./auth-server/token-verifier.js";
export { type BearerAuth, requireBearerAuth } from "./auth-server/bearer-auth.js";
export type { BearerAuthOptions } from "./auth-server/bearer-auth-options.js";
export type { AuthorizationPolicy, AuthorizationRefusal, HttpReply } from "./auth-server/gate/authorization-policy.js";
export { type AccessTokenInfo, principalOf, tokenInfoOf } from "./auth-server/own-tokens/access-token-info.js";
export {
  type AccessTokenCheck,
  type OwnTokensOptions,
  requireOwnTokens,
} from "./auth-server/own-tokens/require-own-tokens.js";
export { authorizeHttp } from "./auth-server/gate/authorize-http.js";
export type { RefusedOperation, RefusedRequest } from "./auth-server/refused-request.js";
export { getOAuthProtectedResourceMetadataUrl } from "./auth-server/resource-identifier.js";
export { anyVerifier, type ClaimsOf } from "./auth-server/verifiers/any-verifier.js";
export {
  introspectionVerifier,
  type IntrospectionVerifierOptions,
} from "./auth-server/verifiers/introspection-verifier.js";
export { jwtVerifier, type JwtVerifierOptions } from "./auth-server/verifiers/jwt-verifier.js";
export type { AnyClaims } from "./auth-server/verifiers/validate-claims.js";
