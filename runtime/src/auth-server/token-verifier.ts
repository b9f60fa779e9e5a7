import type { TokenFacts } from "./auth-info.js";

/** What a token is verified for. */
export interface TokenContext {
  /** The canonical URI of this MCP server (RFC 8707), which must be among the token's audience unless the verifier has others. */
  readonly resource: string;
  readonly signal?: AbortSignal;
}

/** Verifies access tokens: `jwtVerifier`, `introspectionVerifier`, that of an `OAuthProxy`, or one of your own. */
export interface OAuthTokenVerifier<Claims extends object = Readonly<Record<string, unknown>>> {
  /** The issuers whose tokens it accepts. Clients find them in the metadata of the protected resource. */
  readonly issuers: readonly string[];
  /**
   * The audiences of which a token must have one, for authorization servers that do not use the URI of the MCP server (RFC 8707).
   * `requireBearerAuth` compares them with the result once more. Default: the resource.
   */
  readonly audiences?: readonly string[] | undefined;
  /**
   * Milliseconds during which a verified token is not verified again, at most until it expires. `Infinity` fits tokens that cannot be
   * revoked, such as JWTs. Default: 0.
   */
  readonly cacheMs?: number;
  /**
   * Verifies everything about a token but the scopes and the proof of its key: that it was issued by one of `issuers`, for this
   * resource, and is valid now.
   * @throws InvalidTokenError when the token is not accepted: the client gets 401 and asks for another one
   * @throws TokenVerificationError when it cannot be verified now: the client gets 503 and may repeat the request
   */
  verifyAccessToken(token: string, context: TokenContext): TokenFacts<Claims> | Promise<TokenFacts<Claims>>;
}
