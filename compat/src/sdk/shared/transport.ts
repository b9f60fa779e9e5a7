import type { AuthInfo, JSONRPCMessage, RequestId } from "../messages.js";

export { createFetchWithInit, type FetchLike } from "../../shared/transport.js";

/** Headers of a request by their names in lower case. */
export type IsomorphicHeaders = Record<string, string | string[] | undefined>;

/** The HTTP request that contained a message. */
export interface RequestInfo {
  headers: IsomorphicHeaders;
  url?: URL;
}

/** What a transport knows about a message in addition to its content. */
export interface MessageExtraInfo {
  requestInfo?: RequestInfo | undefined;
  authInfo?: AuthInfo | undefined;
  /** Closes the stream of the request, so that the client reconnects for the remaining messages. */
  closeSSEStream?: (() => void) | undefined;
  closeStandaloneSSEStream?: (() => void) | undefined;
}

export interface TransportSendOptions {
  /** The received request that the message belongs to. */
  relatedRequestId?: RequestId | undefined;
  resumptionToken?: string | undefined;
  onresumptiontoken?: ((token: string) => void) | undefined;
}

/** Sends messages to one peer and receives its messages. */
export interface Transport {
  start(): Promise<void>;
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the signature of the official SDK
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined;
  sessionId?: string | undefined;
  setProtocolVersion?: ((version: string) => void) | undefined;
}

/** Returns headers as an object. */
export function normalizeHeaders(headers: RequestInit["headers"] | undefined): Record<string, string> {
  if (!headers) return {};
  return headers instanceof Headers || Array.isArray(headers)
    ? Object.fromEntries(headers as Iterable<[string, string]>)
    : { ...headers };
}
