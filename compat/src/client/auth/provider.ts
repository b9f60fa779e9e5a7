import type { FetchLike } from "../../shared/transport.js";
import type {
  AuthorizationServerMetadata,
  OAuthClientMetadata,
  OAuthProtectedResourceMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "../../shared/oauth-types.js";
import type { DpopSession } from "./dpop.js";

type MaybePromise<T> = T | Promise<T>;

/** Adds the authentication of the client to a token request. */
export type AddClientAuthentication = (
  headers: Headers,
  params: URLSearchParams,
  url: string | URL,
  metadata?: AuthorizationServerMetadata,
) => void | Promise<void>;

export interface UnauthorizedContext {
  response: Response;
  serverUrl: URL;
  fetchFn: FetchLike;
}

/** Provides a token, however it gets it. */
export interface AuthProvider {
  token(): Promise<string | undefined>;
  /** Gets a better token, after which the request is sent again once. */
  onUnauthorized?(ctx: UnauthorizedContext): Promise<void>;
}

/** The authorization server in question. */
export interface OAuthClientInformationContext {
  issuer: string;
}

/** What was discovered about a server and its authorization server. */
export interface OAuthServerInfo {
  authorizationServerUrl: string;
  authorizationServerMetadata?: AuthorizationServerMetadata | undefined;
  resourceMetadata?: OAuthProtectedResourceMetadata | undefined;
}

export interface OAuthDiscoveryState extends OAuthServerInfo {
  resourceMetadataUrl?: string | undefined;
}

/** Keeps what a log-in needs, and sends the user to the authorization server. */
export interface OAuthClientProvider {
  /** Undefined for flows without a user. */
  get redirectUrl(): string | URL | undefined;
  /** The URL that identifies the client where the server reads such documents. */
  clientMetadataUrl?: string;
  get clientMetadata(): OAuthClientMetadata;
  state?(): MaybePromise<string>;
  clientInformation(ctx?: OAuthClientInformationContext): MaybePromise<StoredOAuthClientInformation | undefined>;
  saveClientInformation?(
    clientInformation: StoredOAuthClientInformation,
    ctx?: OAuthClientInformationContext,
  ): MaybePromise<void>;
  tokens(ctx?: OAuthClientInformationContext): MaybePromise<StoredOAuthTokens | undefined>;
  saveTokens(tokens: StoredOAuthTokens, ctx?: OAuthClientInformationContext): MaybePromise<void>;
  redirectToAuthorization(authorizationUrl: URL): MaybePromise<void>;
  saveCodeVerifier(codeVerifier: string): MaybePromise<void>;
  codeVerifier(): MaybePromise<string>;
  addClientAuthentication?: AddClientAuthentication;
  /** The key to which tokens are bound (RFC 9449). */
  dpop?(): MaybePromise<DpopSession | undefined>;
  validateResourceURL?(serverUrl: string | URL, resource?: string): Promise<URL | undefined>;
  scopeForRefresh?(tokens: StoredOAuthTokens): MaybePromise<string | undefined>;
  invalidateCredentials?(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): MaybePromise<void>;
  /** The params of the token request of other grants than the authorization code. */
  prepareTokenRequest?(scope?: string): MaybePromise<URLSearchParams | undefined> | undefined;
  saveAuthorizationServerUrl?(authorizationServerUrl: string): MaybePromise<void>;
  authorizationServerUrl?(): MaybePromise<string | undefined>;
  saveResourceUrl?(resourceUrl: string): MaybePromise<void>;
  resourceUrl?(): MaybePromise<string | undefined>;
  saveDiscoveryState?(state: OAuthDiscoveryState): MaybePromise<void>;
  discoveryState?(): MaybePromise<OAuthDiscoveryState | undefined>;
}

export function isOAuthProvider(provider: AuthProvider | OAuthClientProvider): provider is OAuthClientProvider {
  return "tokens" in provider && "clientInformation" in provider;
}
