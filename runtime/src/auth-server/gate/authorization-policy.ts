import type { Authenticated, HttpHeaders, HttpRequest } from "../../http-server/host-adapter.js";
import type { JSONRPCRequest } from "../../jsonrpc/message-types.js";
import type { Principal } from "../../transport/principal.js";

/** A complete response. */
export interface HttpReply {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body?: string;
}

/** A request is rejected: the status, and the message of the JSON-RPC error in the response. */
export interface AuthorizationRefusal {
  readonly status: number;
  readonly message: string;
  /** For example `www-authenticate`. The endpoint adds the CORS headers. */
  readonly headers: HttpHeaders;
}

/** The rules of an authorization: who sends a request, and whether the sender may send it. `authorizeHttp` applies them. */
export interface AuthorizationPolicy {
  /** Paths of documents that need no authorization, such as `/.well-known/oauth-protected-resource/mcp`. */
  readonly publicPaths: readonly string[];
  /** Returns the response to a GET or HEAD request for one of `publicPaths`. The endpoint adds the CORS headers for every origin. */
  publicDocument(path: string): HttpReply;
  /**
   * Authenticates the sender of a request, before its body is read. Returns a promise only when it has to wait; the endpoint waits
   * 30 seconds at most, and responds with 503 then. An error that it throws is reported, and the response is 500.
   */
  authenticate(
    request: HttpRequest,
  ): Authenticated | AuthorizationRefusal | Promise<Authenticated | AuthorizationRefusal>;
  /** Returns the principal of a message that another node has authenticated, from its JSON members. @internal */
  restore?(facts: Principal): Principal;
  /**
   * Returns the scopes of a principal, for gateways, whose lists omit what it may not use. Default: its member `scopes`, without those
   * that they include.
   */
  grantedScopes?(principal: Principal): ReadonlySet<string>;
  /**
   * Decides whether an authenticated sender may send a request, before a handler runs. Called once per HTTP request, also for those
   * without JSON-RPC requests: notifications, responses, GET and DELETE.
   * @param messages the JSON-RPC requests of the body; their params are not validated yet
   * @param scopes all that the tools, resources and prompts of these requests were registered with
   * @returns undefined when it may
   */
  authorize(
    request: HttpRequest,
    messages: readonly JSONRPCRequest[],
    scopes: readonly string[],
  ): AuthorizationRefusal | undefined;
}
