import type { HttpRequestInfo } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";
import type { HttpHeaders, HttpRequest, Responder } from "./host-adapter.js";
import type { ClientKey, SharedLimit } from "./shared-limit.js";

/** A message that a client of HTTP+SSE has posted. */
export interface SsePost {
  readonly message: unknown;
  /** The estimated memory of the message, in bytes. */
  readonly bytes: number;
  readonly http: HttpRequestInfo;
  readonly principal: Principal | undefined;
}

/** The streams of HTTP+SSE of a server (MCP 2024-11-05), to which clients can post at any node. */
export interface SseStreams {
  /** Opens a stream whose id names this node. */
  open(sessions: SseSessions, request: HttpRequest, responder: Responder): void;
  /**
   * Passes a POST on to the node of its stream. Those for one stream arrive there in the order of the calls.
   * @returns whether it responds to the POST; false for an id that no node has created
   * @throws HttpRejection when there is no room for it
   */
  post(sessions: SseSessions, id: string, post: SsePost, request: HttpRequest, responder: Responder): boolean;
}

/** The streams of one endpoint at this node. */
export interface SseSessions {
  readonly endpoint: SseEndpoint;
  has(id: string): boolean;
  readonly size: number;
  /** Opens a stream. @throws HttpRejection */
  start(id: string, request: HttpRequest, responder: Responder): void;
  /** Receives a message for a stream. @throws HttpRejection */
  receive(id: string, post: SsePost): void;
}

/** The members of an endpoint that its streams of HTTP+SSE use when there are several nodes. */
export interface SseEndpoint {
  readonly originPolicy: { headers(request: HttpRequest): HttpHeaders };
  readonly limits: {
    readonly requests: SharedLimit;
    readonly memory: SharedLimit;
    readonly share: number;
    readonly suspended: { makeMemory(client: ClientKey, bytes: number): boolean };
    clientOf(request: HttpRequest): ClientKey;
  };
  readonly isDraining: boolean;
  /** Responds to a request that failed while it waited. @param to the message of the request */
  refuseLate(request: HttpRequest, responder: Responder, error: unknown, to?: unknown): void;
  readonly streams: { readonly gate: { restore?(facts: Principal): Principal } | undefined };
}
