export * from "./auth/auth-errors.js";
export * from "./auth/credential-store.js";
export type { AuthorizationRules } from "./auth/discovery/authorization-rules.js";
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
export type { AcceptedRequest, AuthorizationSession, Rejection } from "./auth/session/authorization-session.js";
