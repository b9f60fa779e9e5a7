import type { Principal } from "../transport/principal.js";
import type { EventStore } from "./event-store.js";

export interface SessionOptions {
  /** Milliseconds that a session without open streams and running requests is kept. Default 1,800,000. */
  readonly idleMs?: number;
  /** Sessions at once; further ones are refused with 503. Default 10,000. */
  readonly max?: number;
}

export interface McpHandlerOptions {
  /**
   * Sessions of handshake-era clients. `false`: each of their requests is served alone, which any number of nodes can do,
   * but servers can ask nothing and notify of nothing, and so they declare neither changes of lists nor subscriptions.
   * Default true.
   */
  readonly sessions?: boolean | SessionOptions;
  /**
   * How requests are answered. `auto`: by plain JSON, unless something has to be written before the response or it takes
   * long; `sse`: always by a stream; `json`: never, so that messages before the response are dropped. Default `auto`.
   */
  readonly responseMode?: "auto" | "sse" | "json";
  /** Lets handshake-era clients come back for what was sent while they were away. Default: they cannot. */
  readonly eventStore?: EventStore;
  /** Milliseconds that clients are told to wait before they come back. Default: they decide. */
  readonly retryInterval?: number;
  /** Milliseconds between comments on silent streams. Default 15,000; 0: none. */
  readonly keepAliveMs?: number;
  /** Serves HTTP+SSE of 2024-11-05 on the same endpoint. Default: when that revision is served, and there are sessions. */
  readonly legacySse?: boolean;
  /** Origins, besides the endpoint's own, from which browsers may call; named ones get CORS headers. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** Headers of your own that pages of those origins may send, such as `X-Api-Key`. Default: none. */
  readonly allowedHeaders?: readonly string[];
  /** Values of `Host`, with or without a port, that are served; `any`: all. Default: `localhost`, `127.0.0.1`, `[::1]`. */
  readonly allowedHosts?: readonly string[] | "any";
  /** Bytes of a request body. Default 4 Mi. */
  readonly maxBodyBytes?: number;
  /** How deeply arrays and objects of a request body may be nested, in levels; not looked at in `parsedBody`. Default 1,000. */
  readonly maxDepth?: number;
  /** Streams at once that stay open for what may come; further ones are refused with 503. Default 10,000. */
  readonly maxStreams?: number;
  /** Requests being served at once, besides those of sessions; further ones are refused with 503. Default 10,000. */
  readonly maxRequests?: number;
  /** Bytes that may wait for a client that reads too slowly; then its stream is cut. Default 16 Mi. */
  readonly maxQueuedBytes?: number;
}

/** What the host knows of a request besides the request. */
export interface McpHandlerRequestOptions {
  /** Whom the host has authenticated. Sessions and sealed states are theirs alone. */
  readonly principal?: Principal | undefined;
  /** The body as JSON, where the host has read it already. */
  readonly parsedBody?: unknown;
}
