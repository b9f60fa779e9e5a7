export { auth, type AuthResult } from "../../client/auth/auth.js";
export { startAuthorization } from "../../client/auth/authorization-request.js";
export { extractResourceMetadataUrl, extractWWWAuthenticateParams } from "../../client/auth/challenge.js";
export { selectClientAuthMethod, type ClientAuthMethod } from "../../client/auth/client-authentication.js";
export {
  buildDiscoveryUrls,
  discoverAuthorizationServerMetadata,
  discoverOAuthMetadata,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  selectResourceURL,
} from "../../client/auth/discovery.js";
export { UnauthorizedError } from "../../client/auth/errors.js";
export type {
  AddClientAuthentication,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthServerInfo,
} from "../../client/auth/provider.js";
export { isHttpsUrl, registerClient } from "../../client/auth/registration.js";
export {
  exchangeAuthorization,
  fetchToken,
  parseErrorResponse,
  prepareAuthorizationCodeRequest,
  refreshAuthorization,
} from "../../client/auth/token-requests.js";
