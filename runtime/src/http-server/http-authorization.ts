import type { HttpRequest, Responder } from "./host-adapter.js";
import type { HostedServer } from "./hosted-server.js";
import type { StandingStream } from "./kept-alive-stream.js";
import type { HttpRejection } from "./rejection.js";
import type { Principal } from "../transport/principal.js";

/**
 * Decides which HTTP requests an endpoint serves. `requireBearerAuth` of `@mcpwright/runtime/auth/server` returns one, and
 * `authorizeHttp` makes one of your own rules.
 */
export interface HttpAuthorization {
  /** Paths of documents that need no authorization, such as `/.well-known/oauth-protected-resource/mcp`. */
  readonly publicPaths: readonly string[];
  /**
   * Called once for each endpoint, before it serves requests.
   * @throws SdkError `INVALID_CONFIGURATION` when the scopes of a tool, resource or prompt are not valid
   * @internal
   */
  gateFor(server: HostedServer): AuthorizationGate;
}

/** Applies an authorization to the requests of one endpoint. */
export interface AuthorizationGate {
  /** Whether a request is for a document that needs no authorization. Pages of every origin may read it. */
  isPublic(request: HttpRequest): boolean;
  /**
   * Receives the head of a request whose `Host` and `Origin` are accepted. Responds to it when it is for a public document;
   * otherwise authenticates the sender, unless it is a preflight request, and sets its `principal` and `authenticated`.
   * @param next continues with the request, or rejects it; returns whether its body should be read
   * @returns the result of `next`, a promise only when the authentication takes time; false after a response
   */
  receive(
    request: HttpRequest,
    responder: Responder,
    next: (rejection?: HttpRejection) => boolean,
  ): boolean | Promise<boolean>;
  /**
   * Called once per HTTP request, before a handler runs.
   * @param message the message or batch of a POST
   * @throws HttpRejection when the sender may not send it
   */
  assertAuthorized(request: HttpRequest, message?: unknown): void;
  /** Returns the principal of a message that another node has authenticated. @param facts the JSON members of the principal */
  restore?(facts: Principal): Principal;
  /** Calls `expire` of a stream when the authentication of the request that opened it expires. */
  watch(stream: StandingStream, request: HttpRequest): void;
  /** Called when a watched stream has ended. */
  forget(stream: StandingStream): void;
}
