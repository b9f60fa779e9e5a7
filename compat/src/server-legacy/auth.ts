export { metadataHandler } from "../express/metadata-router.js";
export { authorizationHandler } from "../oauth-server/authorization-handler.js";
export type { AuthorizationHandlerOptions } from "../oauth-server/authorization-handler.js";
export { requireBearerAuth } from "../oauth-server/bearer-auth.js";
export type { BearerAuthMiddlewareOptions } from "../oauth-server/bearer-auth.js";
export { authenticateClient } from "../oauth-server/client-auth.js";
export type { ClientAuthenticationMiddlewareOptions } from "../oauth-server/client-auth.js";
export { allowedMethods } from "../oauth-server/endpoint.js";
export * from "../oauth-server/errors.js";
export type {
  AuthorizationParams,
  OAuthRegisteredClientsStore,
  OAuthServerProvider,
} from "../oauth-server/provider.js";
export { ProxyOAuthServerProvider } from "../oauth-server/proxy-provider.js";
export type { ProxyEndpoints, ProxyOptions } from "../oauth-server/proxy-provider.js";
export { redirectUriMatches } from "../oauth-server/redirects.js";
export { clientRegistrationHandler } from "../oauth-server/registration-handler.js";
export type { ClientRegistrationHandlerOptions } from "../oauth-server/registration-handler.js";
export { revocationHandler } from "../oauth-server/revocation-handler.js";
export type { RevocationHandlerOptions } from "../oauth-server/revocation-handler.js";
export { mcpAuthMetadataRouter } from "../oauth-server/router.js";
export type { AuthMetadataOptions, AuthRouterOptions } from "../oauth-server/router.js";
export { tokenHandler } from "../oauth-server/token-handler.js";
export type { TokenHandlerOptions } from "../oauth-server/token-handler.js";
export type { OAuthTokenVerifier } from "../shared/bearer-auth.js";
export { getOAuthProtectedResourceMetadataUrl } from "../shared/resource-metadata.js";
export type { AuthInfo } from "../types/message-info.js";
export { createOAuthMetadata, mcpAuthRouter } from "./auth-router.js";
