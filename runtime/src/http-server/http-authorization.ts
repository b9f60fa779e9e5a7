import type { JSONRPCRequest } from "../jsonrpc/message-types.js";
import type { Principal } from "../transport/principal.js";
import type { HttpHeaders, HttpRequest } from "./host-adapter.js";

/** A complete response. */
export interface HttpReply {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body?: string;
}

/** The sender of a request is known. */
export interface Authenticated {
  readonly principal: Principal;
  /** The `Date.now()` at which this authentication ends, and with it the streams that stay open for later messages. Default: never. */
  readonly expiresAt?: number;
  /** Headers to add to the response. */
  readonly headers?: HttpHeaders;
}

/** A request is rejected: the status, and the message of the JSON-RPC error in the response. */
export interface AuthorizationRefusal {
  readonly status: number;
  readonly message: string;
  /** For example `www-authenticate`. */
  readonly headers: HttpHeaders;
}

/**
 * Decides which HTTP requests an endpoint serves: `requireBearerAuth` of `@mcpwright/runtime/auth/server` returns one. The endpoint
 * knows only a principal; tokens and scopes are known here.
 */
export interface HttpAuthorization {
  /** Paths of documents that need no authorization, such as `/.well-known/oauth-protected-resource/mcp`. */
  readonly publicPaths: readonly string[];
  /** Returns the response to a GET request for one of `publicPaths`. */
  publicDocument(path: string): HttpReply;
  /** Authenticates the sender of a request, before its body is read. Returns a promise only when it has to wait. */
  authenticate(
    request: HttpRequest,
  ): Authenticated | AuthorizationRefusal | Promise<Authenticated | AuthorizationRefusal>;
  /**
   * Decides whether an authenticated sender may send the requests of a body, before a handler runs.
   * @param scopes all that the tools, resources and prompts of these requests were registered with
   * @returns undefined when it may
   */
  authorize(
    request: HttpRequest,
    messages: readonly JSONRPCRequest[],
    scopes: readonly string[],
  ): AuthorizationRefusal | undefined;
}
