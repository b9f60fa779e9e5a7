/** What answers for a client to servers that want authorization. */
export interface AuthProvider {
  /** The token for the next request, sent as `Authorization: Bearer`; undefined: none. */
  token(): string | undefined | Promise<string | undefined>;
  /**
   * The server refused a request: without a token, with a bad one, or for want of a scope. Get a better token here.
   * Requests that are refused meanwhile wait for the same call.
   * @returns `false`: the request is not to be sent again; anything else: it is, with what `token` gives then
   * @throws what the request is to fail with
   */
  onUnauthorized?(challenge: AuthChallenge): unknown;
}

export interface AuthChallenge {
  /** 401, or 403 for a scope that lacks. */
  readonly status: number;
  /** The header of that name; authorization starts from what it says. */
  readonly wwwAuthenticate: string | undefined;
  /** The URL that refused. */
  readonly url: URL;
  /** The token that was refused. */
  readonly token: string | undefined;
  readonly response: Response;
  /** What the transport itself sends requests with. */
  readonly fetch: FetchLike;
}

export type FetchLike = (url: URL, init: RequestInit) => Promise<Response>;

/** How long to wait before a broken stream is opened again, and how often. */
export interface ReconnectionOptions {
  /** Milliseconds at most, unless the server asks for more. Default 30,000. */
  readonly maxReconnectionDelay?: number;
  /** Milliseconds before the first attempt. Default 1,000. */
  readonly initialReconnectionDelay?: number;
  /** By how much each further wait is longer. Default 1.5. */
  readonly reconnectionDelayGrowFactor?: number;
  /**
   * Attempts in a row that bring nothing, before the stream is given up. That of messages that belong to no request is
   * tried once more after a later request, but not within `maxReconnectionDelay`. Default 5.
   */
  readonly maxRetries?: number;
}

/** Calls `reconnect` after `delayMs`, or when it thinks best. A function that it returns calls that off. */
export type ReconnectionScheduler = (
  reconnect: () => void,
  delayMs: number,
  attempt: number,
) => (() => void) | undefined;

export interface HttpClientOptions {
  /** Goes into every request: headers, credentials and the like. */
  readonly requestInit?: RequestInit;
  /** Sends requests. Default: the global `fetch`. */
  readonly fetch?: FetchLike;
  readonly authProvider?: AuthProvider;
  /** Length of a message from the server, in bytes, at most. Default 16 MiB. */
  readonly maxMessageBytes?: number;
  /** How deeply arrays and objects of a message from the server may be nested, in levels. Default 1,000. */
  readonly maxDepth?: number;
}

export interface StreamableHTTPClientTransportOptions extends HttpClientOptions {
  readonly reconnectionOptions?: ReconnectionOptions;
  /** Waits before a stream is opened again. Default: a timer. */
  readonly reconnectionScheduler?: ReconnectionScheduler;
  /** A session to go on with, for use without a `Client`: that one opens its own. */
  readonly sessionId?: string;
  /** The version that was agreed on in that session. */
  readonly protocolVersion?: string;
}

export const defaultMaxMessageBytes = 2 ** 24;
export const defaultMaxReconnectionDelay = 30_000;
