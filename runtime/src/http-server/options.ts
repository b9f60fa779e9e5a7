import { SdkError } from "../jsonrpc/errors.js";
import type { HttpRequestInfo } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";
import type { HttpAuthorization } from "./http-authorization.js";
import type { ResumptionOptions } from "./resumption-options.js";

export interface SessionOptions {
  /** Milliseconds after which a session without open streams and running requests is closed. Default: `1_800_000`. */
  readonly idleMs?: number;
  /**
   * Maximum number of sessions. Beyond it, the oldest session that was never used gives way; if there is none, further
   * ones are rejected with 503. Default: `10_000`.
   */
  readonly max?: number;
}

export interface LegacySseOptions {
  /**
   * The path to which HTTP+SSE clients post, such as `/messages`; the handler must be mounted there, too. Default: the path of
   * the stream.
   */
  readonly postPath?: string;
}

export interface McpHandlerOptions {
  /**
   * Whether handshake-era clients get sessions, or the options of the sessions. With `false`, each request is served on its
   * own, by any node; the server cannot send requests or notifications, and declares neither list changes nor
   * subscriptions. Default: `true`.
   */
  readonly sessions?: boolean | SessionOptions;
  /**
   * The form of responses. `auto`: JSON, or a stream when a message precedes the response or the response takes long. `sse`:
   * always a stream. `json`: always JSON; messages before the response are dropped. Default: `"auto"`.
   */
  readonly responseMode?: "auto" | "sse" | "json";
  /**
   * Whether handshake-era clients can resume streams, or the options of that: the messages are kept in the backplane of the server.
   * Default: `true` if the server has the option `backplane`.
   */
  readonly resumption?: boolean | ResumptionOptions;
  /** The `retry` value of streams: milliseconds that clients wait before they reconnect. Default: the client's choice. */
  readonly retryInterval?: number;
  /** Milliseconds between keep-alive comments on idle streams; 0 for none. Default: `15_000`. */
  readonly keepAliveMs?: number;
  /**
   * Whether HTTP+SSE of 2024-11-05 is served, or its options. Default: `true` if that revision is supported and `sessions` is
   * not `false`.
   */
  readonly legacySse?: boolean | LegacySseOptions;
  /**
   * Decides which requests are served: `requireBearerAuth` of `@mcpwright/runtime/auth/server` returns one. Hosts then pass no
   * `principal`. Default: every request is served, and none while a tool, resource or prompt has `scopes`.
   */
  readonly authorization?: HttpAuthorization;
  /** Origins other than the endpoint's own from which browsers may call; they get CORS headers. Default: `[]`. */
  readonly allowedOrigins?: readonly string[];
  /** Additional request headers that pages of those origins may send, such as `X-Api-Key`. Default: `[]`. */
  readonly allowedHeaders?: readonly string[];
  /** Accepted values of `Host`, with or without a port, or `any`. Default: `["localhost", "127.0.0.1", "[::1]"]`. */
  readonly allowedHosts?: readonly string[] | "any";
  /** Maximum size of a request body in bytes. Default: `2 ** 22`. */
  readonly maxBodyBytes?: number;
  /** Maximum nesting depth of arrays and objects in a request body; not checked in `parsedBody`. Default: `1_000`. */
  readonly maxDepth?: number;
  /**
   * Maximum number of values in a request body, counted as commas and opening brackets; more are rejected with 413 before
   * they are parsed. Not checked in `parsedBody`. Default: `50_000`.
   */
  readonly maxValues?: number;
  /** Maximum number of streams that stay open for later messages; further ones are rejected with 503. Default: `10_000`. */
  readonly maxStreams?: number;
  /** Maximum number of requests in progress outside sessions; further ones are rejected with 503. Default: `10_000`. */
  readonly maxRequests?: number;
  /**
   * Maximum memory that requests in progress, sessions, subscriptions and suspended calls may take, in bytes, estimated
   * from the messages. Beyond it, the oldest suspended calls end, and further requests are rejected with 503. Default:
   * `2 ** 28`.
   */
  readonly maxHeldBytes?: number;
  /**
   * The share of `maxHeldBytes`, `maxRequests`, `maxStreams`, `sessions.max` and `suspension.max` that one client may
   * take, more than 0 and at most 1. Default: `0.25`.
   */
  readonly clientShare?: number;
  /**
   * Returns a short key of the client that sent a request without a principal, such as its address. Default: clients
   * without a principal are not distinguished, because those behind a proxy have the same address; only the limits for all
   * clients together apply to them.
   */
  readonly clientKey?: (request: HttpRequestInfo) => string | undefined;
  /**
   * Maximum number of bytes that wait for a slow client; the next message closes its stream. A single message may be larger.
   * Default: `2 ** 24`.
   */
  readonly maxQueuedBytes?: number;
  /**
   * Milliseconds after which a client that takes no part of a waiting response is disconnected; 0 for never. With `fetch`, it
   * applies to streams only: the host writes other responses. Default: `60_000`.
   */
  readonly writeTimeoutMs?: number;
}

/** What the host knows about a request in addition to its content. */
export interface McpHandlerRequestOptions {
  /**
   * The principal that the host has authenticated. No other principal can use its sessions and sealed states. With the option
   * `authorization`, pass none.
   */
  readonly principal?: Principal | undefined;
  /** The parsed JSON body, if the host has already read it. */
  readonly parsedBody?: unknown;
}

/** @throws SdkError `INVALID_CONFIGURATION` for a path that clients would resolve to another server or page */
export function legacyPostPath(legacySse: boolean | LegacySseOptions): string | undefined {
  const { postPath }: LegacySseOptions = typeof legacySse === "object" ? legacySse : {};
  if (postPath === undefined || /^\/(?![/\\])[^\s?#\\]*$/.test(postPath)) return postPath;
  throw new SdkError(
    "INVALID_CONFIGURATION",
    `legacySse.postPath must be a path such as "/messages", without a query, not ${JSON.stringify(postPath)}`,
  );
}
