import { ProtocolErrorCode } from "../shared/errors.js";
import type { Transport, TransportSendOptions } from "../shared/transport.js";
import type {
  AuthInfo,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  MessageClassification,
  MessageExtraInfo,
  RequestId,
} from "../types/index.js";
import type { PerRequestResponseMode } from "./create-mcp-handler.js";
import { errorResponse } from "./parse-request-body.js";
import { SseWriter } from "./sse-writer.js";

export interface PerRequestHTTPServerTransportOptions {
  /** The era of the message. */
  classification: MessageClassification;
  /** `auto`: JSON, or a stream when a message precedes the response. Default: `"auto"`. */
  responseMode?: PerRequestResponseMode;
  /** Milliseconds between keep-alive comments on the stream; 0 for none. Default: `15_000`. */
  keepAliveMs?: number;
}

export interface PerRequestMessageExtra {
  request?: globalThis.Request;
  authInfo?: AuthInfo;
}

/** Serves one message over HTTP. Connect a server to it, then pass the message. */
export class PerRequestHTTPServerTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #options: PerRequestHTTPServerTransportOptions;
  #requestId: RequestId | undefined;
  #respond: ((response: Response) => void) | undefined;
  #stream: SseWriter | undefined;
  #isUsed = false;
  #isClosed = false;

  constructor(options: PerRequestHTTPServerTransportOptions) {
    this.#options = options;
  }

  /** The era of the message that the server will get. @internal */
  get servesStateless(): boolean {
    return this.#options.classification.era === "modern";
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Serves a message. Rejects a second one. */
  handleMessage(message: JSONRPCRequest | JSONRPCNotification, extra: PerRequestMessageExtra = {}): Promise<Response> {
    if (this.#isUsed) return Promise.reject(new Error("A PerRequestHTTPServerTransport serves one message"));
    this.#isUsed = true;
    const { classification, responseMode } = this.#options;
    return new Promise((resolve) => {
      this.#respond = resolve;
      if ("id" in message) this.#requestId = message.id;
      if ("id" in message && responseMode === "sse") this.#open();
      extra.request?.signal.addEventListener("abort", () => void this.close(), { once: true });
      this.onmessage?.(message, { ...extra, classification });
      if (!("id" in message)) resolve(new Response(null, { status: 202 }));
    });
  }

  send(message: JSONRPCMessage, _options?: TransportSendOptions): Promise<void> {
    const isResponse = !("method" in message) && message.id === this.#requestId;
    if (this.#isClosed || (!isResponse && this.#options.responseMode === "json")) return Promise.resolve();
    if (!isResponse && !this.#stream) this.#open();
    if (this.#stream) this.#stream.message(message, undefined);
    else this.#respond?.(Response.json(message));
    if (isResponse) this.#stream?.close();
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#stream?.close();
    this.#respond?.(errorResponse(500, ProtocolErrorCode.InternalError, "Connection closed"));
    this.onclose?.();
    return Promise.resolve();
  }

  /** Turns the response into a stream. */
  #open(): void {
    const stream = new SseWriter(() => void this.close(), this.#options.keepAliveMs);
    this.#stream = stream;
    const headers = { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" };
    this.#respond?.(new Response(stream.toStream(), { headers }));
  }
}
