/** The provider that users log in at. */
export interface UpstreamProvider {
  /** Its issuer, or another URL that identifies it; part of the ids of accounts. */
  readonly issuer: string;
  /** Its name on the pages, such as `GitHub`. */
  readonly name: string;
  /** The scopes that the proxy requests from it. The consent page lists them. */
  readonly scopes: readonly string[];
  /**
   * Returns the URL of its log-in page for one authorization request.
   * @throws UpstreamError
   */
  authorizationUrl(request: UpstreamRequest, context: UpstreamContext): URL | Promise<URL>;
  /**
   * Checks the response to the authorization request, and redeems its code.
   * @throws UpstreamError `denied` when the user refused
   */
  finish(response: UpstreamResponse, context: UpstreamContext): Promise<UpstreamLogin>;
  /**
   * Gets new tokens.
   * @throws UpstreamError `login-required` when the refresh token is no longer accepted
   */
  refresh(refreshToken: string, context: UpstreamContext): Promise<UpstreamTokenSet>;
}

/** The limits of a call. */
export interface UpstreamContext {
  /** Aborts at the time limit of the whole call. */
  readonly signal: AbortSignal;
  /** Milliseconds that one request to the provider may take. */
  readonly timeoutMs: number;
}

/** What an authorization request to the provider contains. All values are random, and used once. */
export interface UpstreamRequest {
  /** The callback of the proxy. Register it at the provider. */
  readonly redirectUri: string;
  readonly state: string;
  /** For ID tokens (OpenID Connect Core 1.0, section 3.1.2.1). */
  readonly nonce: string;
  /** The secret of PKCE (RFC 7636). The request contains its SHA-256 hash. */
  readonly codeVerifier: string;
}

/** The redirect of the provider to the callback, with what its authorization request contained. */
export interface UpstreamResponse extends UpstreamRequest {
  readonly parameters: URLSearchParams;
}

/** Tokens of the provider. Never pass them to an MCP client. */
export interface UpstreamTokenSet {
  readonly accessToken: string;
  /** Undefined when the provider issues none; the user then logs in again when the access token expires. */
  readonly refreshToken?: string | undefined;
  /** The `Date.now()` at which the access token ends; undefined when the provider does not state it. */
  readonly expiresAt?: number | undefined;
  readonly scopes: readonly string[];
}

/** A user whom the provider has authenticated. */
export interface UpstreamUser {
  /** That of the provider; of the user's tenant where a provider has several. */
  readonly issuer: string;
  /** Unique within the issuer, and never assigned to another user. */
  readonly subject: string;
  /** The claims of the ID token, or the members of the user's profile. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface UpstreamLogin {
  readonly user: UpstreamUser;
  readonly tokens: UpstreamTokenSet;
}
