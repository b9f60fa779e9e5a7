import type { JSONRPCRequest } from "../jsonrpc/message-types.js";
import type { AuthInfo } from "./auth-info.js";
import type { DpopOptions } from "./dpop/dpop-options.js";
import type { RefusedRequest } from "./refused-request.js";
import type { OAuthTokenVerifier } from "./token-verifier.js";

/** Options of `requireBearerAuth`. */
export interface BearerAuthOptions<Claims extends object = Readonly<Record<string, unknown>>> {
  /**
   * The canonical URI of this MCP server (RFC 8707), as clients reach it: an https URL, or http on this machine. It is the audience
   * of its tokens and is published exactly as you write it; write an origin without a slash at its end.
   */
  readonly resource: string | URL;
  /** Verifies access tokens: `jwtVerifier`, `introspectionVerifier`, that of an OAuth proxy, or one of your own. */
  readonly verifier: OAuthTokenVerifier<Claims>;
  /** The scopes that every request needs. Those of single tools, resources and prompts are added at their registration. Default: none. */
  readonly requiredScopes?: readonly string[];
  /**
   * The `scopes_supported` of the metadata: the few scopes of basic use, because clients without another hint request all of them.
   * Clients request further scopes when an operation needs them. Default: `requiredScopes`.
   */
  readonly scopesSupported?: readonly string[];
  /**
   * The scopes that a broader one includes, directly or through others: a token with the broader one needs none of them. Default: none.
   * @example
   * ```ts
   * scopeIncludes: { "files:admin": ["files:write"], "files:write": ["files:read"] }
   * ```
   */
  readonly scopeIncludes?: Readonly<Record<string, readonly string[]>>;
  /** The issuers that clients get tokens from, for the metadata. Default: the issuers of `verifier`. */
  readonly authorizationServers?: readonly string[];
  /**
   * Returns the scopes that a JSON-RPC request needs besides those of the endpoint and of what it names, for example by its
   * arguments, which are not validated yet. When it throws, the response is 500. Default: none.
   * @param info the members of the access token
   * @example
   * ```ts
   * operationScopes: ({ params }) => (String(params?.uri).startsWith("file:///private/") ? ["files:private"] : []),
   * ```
   */
  readonly operationScopes?: (request: JSONRPCRequest, info: AuthInfo<Claims>) => readonly string[];
  /**
   * Whether a challenge for insufficient scopes names the scopes that the token has, too, besides all that the operation needs. With them,
   * clients that request only what the last challenge names do not lose scopes (MCP 2025-11-25, scope challenge handling).
   * Clients of 2026-07-28 remember their scopes themselves. Default: true.
   */
  readonly challengeGrantedScopes?: boolean;
  /**
   * DPoP (RFC 9449). Tokens that are bound to a key are always accepted with a proof only. `true` or options: the metadata and
   * challenges also announce DPoP, so that clients bind their tokens; with `required: true`, only bound tokens are accepted.
   * Default: false, which announces nothing.
   */
  readonly dpop?: boolean | DpopOptions;
  /** The longest accepted token, in characters. Default: 16,384. */
  readonly maxTokenBytes?: number;
  /** How many verified tokens are kept, where the verifier allows it; see `cacheMs` there. Default: 10,000. */
  readonly maxCachedTokens?: number;
  /** Milliseconds that the verification of a token may take, more than 0; afterwards the response is 503. Default: 20,000. */
  readonly verificationTimeoutMs?: number;
  /** The name of this MCP server for users, in the metadata. Default: none. */
  readonly resourceName?: string;
  /** The URL of a page for developers, in the metadata. Default: none. */
  readonly resourceDocumentation?: string | URL;
  /** The URL of a page about how clients may use the data, in the metadata. Default: none. */
  readonly resourcePolicyUri?: string | URL;
  /** The URL of the terms of service, in the metadata. Default: none. */
  readonly resourceTosUri?: string | URL;
  /**
   * Receives what kept a token from being verified: the responses 503 and 500 do not say it. It contains no token, and the
   * same reason at most once per second. Default: such errors are printed with `console.error`.
   */
  readonly onerror?: (error: Error) => void;
  /**
   * Receives each rejected request, for logs and metrics. Scope elevations are among them (MCP, scope minimization).
   * @example
   * ```ts
   * onRefused: ({ correlationId, status, error, principal, missingScopes }) =>
   *   log.info({ correlationId, status, error, user: principal?.subject, missingScopes }, "request refused"),
   * ```
   */
  readonly onRefused?: (request: RefusedRequest) => void;
}
