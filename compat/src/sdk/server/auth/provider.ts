export type { AuthorizationParams, OAuthServerProvider } from "../../../oauth-server/provider.js";
export type { OAuthTokenVerifier } from "../../../shared/bearer-auth.js";
