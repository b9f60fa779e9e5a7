import type { JWK } from "jose";
import type { CredentialStore } from "../credential-store.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { OAuthClient } from "../client-identity/oauth-client.js";
import type { TokenSet } from "../tokens/token-set.js";

/** Sends requests to the token endpoint: with the resource, the authentication of the client, and a DPoP proof if needed. */
export interface TokenRequests {
  /**
   * @param parameters those of the grant, without `grant_type`, `resource` and the client's authentication
   * @throws AuthorizationError `token-refused`, `token-invalid`, `unreachable`
   */
  request(client: OAuthClient, grantType: string, parameters: Readonly<Record<string, string>>): Promise<TokenSet>;
}

/** What a grant needs to get tokens for one MCP server. */
export interface GrantContext {
  readonly server: DiscoveredServer;
  /** The URL of the MCP server. */
  readonly url: URL;
  /** The scopes to request; undefined to omit the parameter. */
  readonly scopes: readonly string[] | undefined;
  readonly tokens: TokenRequests;
  readonly store: CredentialStore;
  /** The client of the tokens that are to be refreshed or revoked; undefined for new tokens. */
  readonly clientId?: string;
  /** The private key, as a JWK, to which `tokens` binds the tokens (RFC 9449); undefined for bearer tokens. */
  readonly dpopKey?: JWK;
  /** Aborted when the provider is closed, or the flow has taken too long. */
  readonly signal: AbortSignal;
}

/** A way to get tokens (RFC 6749, section 1.3). */
export interface Grant {
  /** Whether a user takes part: then `offline_access` is requested where the server offers it. */
  readonly isInteractive: boolean;
  /**
   * Returns the identity of the application at the authorization server; undefined when it is only known after a registration for
   * which a user takes part. Called before tokens are refreshed, revoked or obtained.
   * @throws AuthorizationError `no-client`, `registration-refused`
   */
  resolveClient(context: GrantContext): Promise<OAuthClient | undefined>;
  /** Forgets a dynamic registration, after the authorization server has rejected its client with `invalid_client`. */
  forgetClient?(context: GrantContext, client: OAuthClient): Promise<void>;
  /**
   * Gets tokens without a refresh token.
   * @param client that of `resolveClient`
   * @throws AuthorizationError, UnauthorizedError when a user has to log in first
   */
  obtain(context: GrantContext, client: OAuthClient | undefined): Promise<TokenSet>;
}
