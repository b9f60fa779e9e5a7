import type { AuthorizationServer } from "oauth4webapi";
import type { ClientMetadata } from "../client-identity/client-metadata.js";
import type { AuthorizationFlow } from "../grants/authorization-flow.js";

type MaybePromise<Value> = Value | Promise<Value>;

/**
 * A provider written for the official SDK, which keeps the credentials of one user for one MCP server. `adaptOAuthClientProvider` logs in
 * with it. All members are called as methods; the others of the official interface are not called.
 */
export interface OAuthClientProvider {
  /** Where the authorization server sends the user afterwards. */
  get redirectUrl(): string | URL | undefined;
  /** The https URL of the metadata document of the application, which is its client id where servers read such documents. */
  clientMetadataUrl?: string | undefined;
  /** How the application describes itself when it registers. Its `scope` is requested besides the scopes that the server names. */
  get clientMetadata(): ClientMetadata;
  /** Returns the `state` of a log-in. Default: a random one. */
  state?(): MaybePromise<string>;
  clientInformation(context?: OAuthClientInformationContext): MaybePromise<OAuthClientInformation | undefined>;
  /** Default: the application is registered already, and never registers itself. */
  saveClientInformation?(client: OAuthClientInformation, context?: OAuthClientInformationContext): MaybePromise<void>;
  tokens(context?: OAuthClientInformationContext): MaybePromise<OAuthTokens | undefined>;
  saveTokens(tokens: OAuthTokens, context?: OAuthClientInformationContext): MaybePromise<void>;
  /** Shows the page to the user. The request that needs the log-in fails with an `UnauthorizedError` afterwards. */
  redirectToAuthorization(authorizationUrl: URL): MaybePromise<void>;
  saveCodeVerifier(codeVerifier: string): MaybePromise<void>;
  codeVerifier(): MaybePromise<string>;
  /** Without it, log-ins can only be finished by the same object. */
  saveDiscoveryState?(state: OAuthDiscoveryState): MaybePromise<void>;
  discoveryState?(): MaybePromise<OAuthDiscoveryState | undefined>;
  /** Called when the authorization server rejects credentials, and by `logout`. */
  invalidateCredentials?(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): MaybePromise<void>;
}

/** The authorization server that credentials belong to. */
export interface OAuthClientInformationContext {
  readonly issuer: string;
}

/** A client as an authorization server knows it. Secret, if it has a `client_secret`. */
export interface OAuthClientInformation extends ClientMetadata {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
  /** Seconds since 1970; 0 for a secret that does not expire. */
  readonly client_secret_expires_at?: number | undefined;
  /** The authorization server. Without it, the first one with which the client is used. */
  readonly issuer?: string | undefined;
}

/** The tokens of a log-in. Secret. */
export interface OAuthTokens {
  readonly access_token: string;
  readonly token_type: string;
  /** Seconds after the response in which the tokens came. */
  readonly expires_in?: number | undefined;
  readonly refresh_token?: string | undefined;
  readonly scope?: string | undefined;
  /** The authorization server. Without it, that of the discovery state. */
  readonly issuer?: string | undefined;
}

/** What is known about the authorization server, and about the log-in in progress. Stored as JSON. */
export interface OAuthDiscoveryState {
  /** The issuer. */
  readonly authorizationServerUrl: string;
  readonly authorizationServerMetadata?: AuthorizationServer | undefined;
  readonly resourceMetadataUrl?: string | undefined;
  /** The URL of the MCP server. */
  readonly serverUrl?: string | undefined;
  /** The log-in in progress, so that another object can finish it. */
  readonly login?: StoredLogin | undefined;
}

/** A log-in in progress, without what has a place of its own: the code verifier and the client. */
export interface StoredLogin extends Omit<AuthorizationFlow, "verifier" | "registration" | "dpopKey"> {
  /** The `state` of the provider, which the authorization server got in place of `state`. */
  readonly givenState?: string | undefined;
}
