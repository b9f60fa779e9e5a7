import type { JSONRPCMessage, MessageExtraInfo, RequestId } from "../types/index.js";

export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Returns a `fetch` whose calls have the given options, unless a call has its own. */
export function createFetchWithInit(baseFetch: FetchLike = fetch, baseInit?: RequestInit): FetchLike {
  if (!baseInit) return baseFetch;
  return (url, init) => {
    const headers = init?.headers ? mergedHeaders(baseInit.headers, init.headers) : baseInit.headers;
    return baseFetch(url, { ...baseInit, ...init, ...(headers && { headers }) });
  };
}

function mergedHeaders(base: RequestInit["headers"], own: RequestInit["headers"]): Headers {
  const headers = new Headers(base ?? undefined);
  new Headers(own ?? undefined).forEach((value, name) => headers.set(name, value));
  return headers;
}

export interface TransportSendOptions {
  /** The received request that the message belongs to. */
  relatedRequestId?: RequestId | undefined;
  /** Continues a response stream that was interrupted. */
  resumptionToken?: string | undefined;
  onresumptiontoken?: ((token: string) => void) | undefined;
  requestSignal?: AbortSignal | undefined;
  onRequestStreamEnd?: (() => void) | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Sends messages to one peer and receives its messages. The callbacks are set before `start` is called. */
export interface Transport {
  start(): Promise<void>;
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  close(): Promise<void>;
  readonly hasPerRequestStream?: boolean;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the signature of the official SDK
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined;
  sessionId?: string | undefined;
  setProtocolVersion?: ((version: string) => void) | undefined;
  setSupportedProtocolVersions?: ((versions: string[]) => void) | undefined;
}
