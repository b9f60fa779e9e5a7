import type { MessageConverter } from "../connection/message-converter.js";
import type { ClientOptions } from "./client-options.js";
import type { ClientRequestHandlers } from "./client-request-handlers.js";
import type { PendingUrlElicitations } from "./handshake/url-elicitation.js";
import type { RepeatableRequests } from "./repeatable-requests.js";
import type { ResponseCache } from "./response-cache.js";
import type { SendOptions } from "./send-options.js";

/** Sends requests over one connection. */
export interface RequestSending {
  send(
    method: string,
    params: object | undefined,
    options: SendOptions | undefined,
    isRepeated?: boolean,
  ): Promise<unknown>;
}

export interface RequestPipelineOptions {
  readonly maxRounds: number;
  readonly cache: ResponseCache | undefined;
  readonly cacheKey: string;
  readonly principal: string | undefined;
  readonly onInvalidItem: ClientOptions["onInvalidItem"];
  /** Undefined if callers handle the URLs that a call needs. */
  readonly urlElicitations: PendingUrlElicitations | undefined;
  /** Negotiates again, because the server has rejected the revision in use. Returns whether the request can be repeated. */
  readonly renegotiate: () => Promise<boolean>;
  readonly repeatable: RepeatableRequests;
  /** Waits for a new session. Returns undefined if there is none. @throws the reason, when the signal is aborted */
  readonly whenReconnected: (signal: AbortSignal | undefined) => Promise<RequestSending | undefined>;
  readonly requestHandlers: ClientRequestHandlers;
  /** Learns again which params of this method are repeated in headers. Returns whether the method has such params. */
  readonly refreshHeaders: (method: string) => Promise<boolean>;
  /** Converts results of servers of other revisions. */
  readonly resultConverter: MessageConverter;
}
