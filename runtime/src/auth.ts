export * from "./auth/auth-errors.js";
export * from "./auth/credential-store.js";
export type { AuthorizationRules } from "@mcpwright/protocol/authorization";
export type { DiscoveredServer } from "./auth/discovery/discovered-server.js";
export type { OAuthClient } from "./auth/client-identity/oauth-client.js";
export type { Grant, GrantContext, TokenRequests } from "./auth/grants/grant.js";
export type { OAuthOptions } from "./auth/oauth-options.js";
export type { TokenSet } from "./auth/tokens/token-set.js";
export type {
  ActiveInteraction,
  AuthorizationInteraction,
  InteractionContext,
} from "./auth/grants/authorization-interaction.js";
export { bearerParameters, type Challenge, parseChallenges } from "./auth/discovery/challenge.js";
export { discover, type DiscoveryRequest } from "./auth/discovery/discover.js";
export { type LogoutOptions, OAuthProvider } from "./auth/providers/oauth-provider.js";
export type { AcceptedRequest, AuthorizationSession } from "./auth/session/authorization-session.js";
export type { Rejection } from "./auth/session/step-ups.js";
export type { AuthorizationParameters } from "./auth/grants/authorization-request.js";
export type { StartedLogin } from "./auth/grants/authorization-code.js";
export type { ApplicationDescription } from "./auth/client-identity/registration-metadata.js";
export type { ApplicationType, ClientMetadata } from "./auth/client-identity/client-metadata.js";
export type { ClientIdentityOptions, PreRegisteredClient } from "./auth/client-identity/client-identity-options.js";
export {
  type AuthorizationCodeOptions,
  AuthorizationCodeProvider,
  type StartOptions,
} from "./auth/providers/authorization-code-provider.js";
export {
  adaptOAuthClientProvider,
  type AdaptedOAuthProvider,
  type AdaptedProviderOptions,
} from "./auth/adapted/adapt-oauth-client-provider.js";
export type {
  OAuthClientInformation,
  OAuthClientInformationContext,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
  StoredLogin,
} from "./auth/adapted/oauth-client-provider.js";
export { type WebStorage, WebStorageCredentialStore } from "./auth/web-storage-credential-store.js";
export {
  ClientCredentialsProvider,
  type ClientCredentialsProviderOptions,
} from "./auth/providers/client-credentials-provider.js";
export {
  CrossAppAccessProvider,
  type CrossAppAccessProviderOptions,
} from "./auth/providers/cross-app-access-provider.js";
export { PrivateKeyJwtProvider, type PrivateKeyJwtProviderOptions } from "./auth/providers/private-key-jwt-provider.js";
export {
  StaticPrivateKeyJwtProvider,
  type StaticPrivateKeyJwtProviderOptions,
} from "./auth/providers/static-private-key-jwt-provider.js";
export {
  WorkloadIdentityProvider,
  type WorkloadIdentityProviderOptions,
} from "./auth/providers/workload-identity-provider.js";
export type { AssertionContext } from "./auth/grants/jwt-bearer.js";
export type { IdentityProviderOptions } from "./auth/grants/token-exchange.js";
export type {
  ClientAuthenticationOptions,
  Provided,
  TokenEndpointAuthMethod,
} from "./auth/client-identity/client-authentication.js";
export type { PrivateKey } from "./auth/client-identity/signing-key.js";
export {
  type ClientIdMetadataDocument,
  clientIdMetadataDocument,
  type ClientIdMetadataDocumentOptions,
  serveClientIdMetadataDocument,
  type ServeDocumentOptions,
} from "./auth/client-identity/client-id-metadata-document.js";
export { enterpriseManagedAuthorization, oauthClientCredentials } from "./auth/extension-ids.js";
export { DpopKey } from "./auth/tokens/dpop.js";
