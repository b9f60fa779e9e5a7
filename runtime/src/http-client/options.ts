import type { Authorization } from "./auth-provider.js";
import type { FetchLike } from "./fetch-like.js";

/** When and how often a broken stream is opened again. */
export interface ReconnectionOptions {
  /** The longest delay in milliseconds, unless the server asks for more. Default: 30,000. */
  readonly maxReconnectionDelay?: number;
  /** Milliseconds before the first attempt. Default: 1,000. */
  readonly initialReconnectionDelay?: number;
  /** The factor by which the delay grows with each attempt. Default: 1.5. */
  readonly reconnectionDelayGrowFactor?: number;
  /**
   * Attempts in a row without data before the stream is given up. The stream of messages that belong to no request is
   * tried again after a later request, but not within `maxReconnectionDelay`. Default: 5.
   */
  readonly maxRetries?: number;
}

/** Calls `reconnect` after `delayMs`, or at another time. May return a function that cancels the call. */
export type ReconnectionScheduler = (
  reconnect: () => void,
  delayMs: number,
  attempt: number,
) => (() => void) | undefined;

export interface HttpClientOptions {
  /** Options for every request, such as headers and credentials. */
  readonly requestInit?: RequestInit;
  /** Sends requests. Default: the global `fetch`. */
  readonly fetch?: FetchLike;
  /**
   * Authorizes the requests: a token, a function that returns one, or a provider, such as those of `@mcpwright/runtime/auth`.
   * Tokens are sent to the origin of the server only.
   */
  readonly authProvider?: Authorization;
  /** The longest message from the server, in bytes. Default: 16 MiB. */
  readonly maxMessageBytes?: number;
  /** The most levels to which arrays and objects of a message may be nested. Default: 1,000. */
  readonly maxDepth?: number;
  /** The most values in a message, counted as commas and opening brackets. Default: 1,000,000. */
  readonly maxValues?: number;
}

export interface StreamableHTTPClientTransportOptions extends HttpClientOptions {
  /**
   * The longest time in milliseconds to wait, for each message, when the server refuses it with `Retry-After` and status 429, or 503 and a
   * JSON-RPC error. It is sent again up to five times; the timeout of the request includes the wait. With 0, or when the server asks for
   * more, the request fails at once. A 503 without a JSON-RPC error can come from a proxy, after the server has received the message: the
   * request fails. Default: 30,000.
   */
  readonly maxRetryWaitMs?: number;
  readonly reconnectionOptions?: ReconnectionOptions;
  /** Schedules the reconnection of a stream. Default: a timer. */
  readonly reconnectionScheduler?: ReconnectionScheduler;
  /** A session to continue, for use without a `Client`, which opens its own session. */
  readonly sessionId?: string;
  /** The version negotiated in that session. */
  readonly protocolVersion?: string;
}

export const defaultMaxMessageBytes = 2 ** 24;
export const defaultMaxReconnectionDelay = 30_000;
export const defaultMaxRetryWaitMs = 30_000;
