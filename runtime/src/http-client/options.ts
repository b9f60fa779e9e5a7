/** Provides tokens for servers that require authorization. */
export interface AuthProvider {
  /** Returns the token for the next request, which is sent as `Authorization: Bearer`; undefined for none. */
  token(): string | undefined | Promise<string | undefined>;
  /**
   * Called when the server has rejected a request that lacks a token, a valid token or a scope. Get a better token here.
   * Requests that are rejected in the meantime wait for the same call.
   * @returns `false` to give up; any other value to send the request again, with the result of `token`
   * @throws the error with which the request fails
   */
  onUnauthorized?(challenge: AuthChallenge): unknown;
}

export interface AuthChallenge {
  /** 401, or 403 for a missing scope. */
  readonly status: number;
  /** The `WWW-Authenticate` header, with which authorization starts. */
  readonly wwwAuthenticate: string | undefined;
  /** The URL that rejected the request. */
  readonly url: URL;
  /** The rejected token. */
  readonly token: string | undefined;
  readonly response: Response;
  /** The `fetch` of the transport. */
  readonly fetch: FetchLike;
}

export type FetchLike = (url: URL, init: RequestInit) => Promise<Response>;

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
  readonly authProvider?: AuthProvider;
  /** The longest message from the server, in bytes. Default: 16 MiB. */
  readonly maxMessageBytes?: number;
  /** The most levels to which arrays and objects of a message may be nested. Default: 1,000. */
  readonly maxDepth?: number;
  /** The most values in a message, counted as commas and opening brackets. Default: 1,000,000. */
  readonly maxValues?: number;
}

export interface StreamableHTTPClientTransportOptions extends HttpClientOptions {
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
