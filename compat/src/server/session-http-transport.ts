import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "../types/index.js";
import { isInitializeRequest, isJSONRPCRequest } from "../types/index.js";
import type { AuthInfo, JSONRPCMessage, MessageExtraInfo, RequestId } from "../types/index.js";
import { resolveMaxRequestBodySize } from "../shared/request-body.js";
import type { EventStore } from "./event-store.js";
import {
  type AllowedSources,
  assertAccepts,
  assertProtocolVersion,
  HttpRefusal,
  refusal,
  sessionNotFound,
  sourceProblem,
} from "./http-refusal.js";
import { type HttpReply, jsonReply } from "./http-reply.js";
import { readMessages } from "./received-messages.js";
import type { ReceivedRequest } from "./received-request.js";
import { ResponseStreams, type ResponseStreamsOptions } from "./response-streams.js";
import type { SseWriter } from "./sse-writer.js";

export interface SessionHttpTransportOptions extends AllowedSources {
  /** Creates the id of the session. Default: no session; the transport then serves one request. */
  sessionIdGenerator?: (() => string) | undefined;
  onsessioninitialized?: ((sessionId: string) => void | Promise<void>) | undefined;
  /** Called when the client has ended the session. */
  onsessionclosed?: ((sessionId: string) => void | Promise<void>) | undefined;
  /** Whether responses are JSON, not streams. Default: `false`. */
  enableJsonResponse?: boolean | undefined;
  /** Keeps messages, so that clients can resume streams. */
  eventStore?: EventStore | undefined;
  allowedHosts?: string[] | undefined;
  allowedOrigins?: string[] | undefined;
  /** Whether `allowedHosts` and `allowedOrigins` are checked. Default: `false`. */
  enableDnsRebindingProtection?: boolean | undefined;
  /** Milliseconds that clients wait before they reconnect to a stream that was closed. */
  retryInterval?: number | undefined;
  /** Milliseconds between keep-alive comments; 0 for none. Default: `15_000`. */
  keepAliveMs?: number | undefined;
  /** Maximum size of a request body in bytes. Default: `4_194_304`. */
  maxRequestBodySize?: number | undefined;
}

export interface HandleRequestOptions {
  /** The parsed body, if the host has already read it. */
  parsedBody?: unknown;
  /** The client, as the host has authenticated it. */
  authInfo?: AuthInfo | undefined;
}

/** The response to a POST that gets no message. */
const accepted: HttpReply = { status: 202, headers: {} };

/** Functions that close streams of a client that resumes them. */
type StreamClosers = Pick<MessageExtraInfo, "closeSSEStream" | "closeStandaloneSSEStream">;

/**
 * Streamable HTTP for one session, or for one request without a session, on any host and for both versions of the official SDK.
 * `Extra` is what handlers learn about the HTTP request of a message.
 */
export abstract class SessionHttpTransport<Extra extends StreamClosers> {
  sessionId?: string | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: Extra) => void) | undefined;
  protected supportedVersions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;
  readonly #options: SessionHttpTransportOptions;
  readonly #maxBytes: number;
  readonly #streams: ResponseStreams;
  #isStarted = false;
  #isInitialized = false;
  #isUsed = false;
  #isClosed = false;

  constructor(
    options: SessionHttpTransportOptions,
    differences: Pick<ResponseStreamsOptions, "endsFinished" | "onUndeliverable">,
  ) {
    this.#options = options;
    this.#maxBytes = resolveMaxRequestBodySize(options.maxRequestBodySize);
    const { eventStore, keepAliveMs, retryInterval } = options;
    this.#streams = new ResponseStreams({ eventStore, keepAliveMs, retryInterval, ...differences });
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async start(): Promise<void> {
    if (this.#isStarted) throw new Error("Transport already started");
    this.#isStarted = true;
  }

  /**
   * Sends a message on the stream of the request that it belongs to, or on the one for other messages.
   * @throws Error (a rejection) when that request has no stream
   */
  send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId | undefined }): Promise<void> {
    return this.#streams.send(message, options?.relatedRequestId);
  }

  /** Called by the runtime when a request was cancelled. @internal */
  requestDropped(requestId: RequestId): void {
    this.#streams.drop(requestId);
  }

  /** Closes the stream of a request, so that the client reconnects for the remaining messages. */
  closeSSEStream(requestId: RequestId): void {
    this.#streams.closeStreamOf(requestId);
  }

  /** Closes the stream of messages that belong to no request, so that the client reconnects. */
  closeStandaloneSSEStream(): void {
    this.#streams.closeStandalone();
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- the signature of transports
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#streams.close();
    this.onclose?.();
  }

  /** Returns what handlers learn about a request. */
  protected abstract extraOf(request: ReceivedRequest, authInfo: AuthInfo | undefined): Extra;

  /** Returns the response to messages that the client may not send. */
  protected refusalOf(
    _messages: readonly JSONRPCMessage[],
    _authInfo: AuthInfo | undefined,
  ): Promise<Response | undefined> | undefined {
    return undefined;
  }

  /**
   * Serves a request of the client.
   * @throws Error (a rejection) for a second request without sessions
   */
  protected async serve(request: ReceivedRequest, options: HandleRequestOptions = {}): Promise<HttpReply | Response> {
    if (this.#isClosed) return sessionNotFound().respond();
    if (!this.#options.sessionIdGenerator && this.#isUsed)
      throw new Error("Stateless transport cannot be reused across requests. Create a new transport per request.");
    this.#isUsed = true;
    try {
      const problem = sourceProblem(this.#options, request.headers.get("host"), request.headers.get("origin"));
      if (problem !== undefined) throw refusal(403, problem);
      if (request.method === "POST") return await this.#post(request, options);
      if (request.method === "GET") return await this.#get(request);
      if (request.method === "DELETE") return await this.#delete(request);
      throw new HttpRefusal(405, -32000, "Method not allowed.", { allow: "GET, POST, DELETE" });
    } catch (error) {
      this.onerror?.(error as Error);
      return error instanceof HttpRefusal
        ? error.respond()
        : new HttpRefusal(400, -32700, "Parse error").respond(String(error));
    }
  }

  async #post(request: ReceivedRequest, { parsedBody, authInfo }: HandleRequestOptions): Promise<HttpReply | Response> {
    const both = ["application/json", "text/event-stream"];
    assertAccepts(request, both, `accept both ${both.join(" and ")}`);
    const messages = await readMessages(request, parsedBody, this.#maxBytes);
    this.#assertOpen();
    const initialize = messages.find((one) => isInitializeRequest(one));
    if (initialize) await this.#initialize(messages);
    else this.#assertSession(request);
    this.#assertOpen();
    const asked = this.refusalOf(messages, authInfo);
    const refused = asked && (await asked);
    if (refused) return refused;
    const extra = this.extraOf(request, authInfo);
    const requests = messages.filter(isJSONRPCRequest);
    const deliver = (): void => {
      for (const message of messages) this.onmessage?.(message, extra);
    };
    if (requests.length === 0) {
      deliver();
      return accepted;
    }
    if (this.#options.enableJsonResponse) {
      const responses = await this.#streams.respondOnce(requests, deliver);
      return responses === undefined ? accepted : jsonReply(responses, 200, this.#sessionHeader());
    }
    const version =
      initialize?.params.protocolVersion ??
      request.headers.get("mcp-protocol-version") ??
      DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
    const canResume = this.#options.eventStore !== undefined && version >= LATEST_PROTOCOL_VERSION;
    const writer = await this.#streams.respondByStream(requests, canResume, () => {
      for (const message of messages)
        this.onmessage?.(
          message,
          canResume ? Object.assign(this.extraOf(request, authInfo), this.#closers(message)) : extra,
        );
    });
    return this.#streamResponse(writer);
  }

  /** The session can end while a request is read. */
  #assertOpen(): void {
    if (this.#isClosed) throw sessionNotFound();
  }

  async #initialize(messages: readonly JSONRPCMessage[]): Promise<void> {
    if (this.#isInitialized && this.sessionId !== undefined)
      throw new HttpRefusal(400, -32600, "Invalid Request: Server already initialized");
    if (messages.length > 1)
      throw new HttpRefusal(400, -32600, "Invalid Request: Only one initialization request is allowed");
    this.sessionId = this.#options.sessionIdGenerator?.();
    this.#isInitialized = true;
    if (this.sessionId) await this.#options.onsessioninitialized?.(this.sessionId);
  }

  #assertSession(request: ReceivedRequest): void {
    if (this.#options.sessionIdGenerator) {
      if (!this.#isInitialized) throw refusal(400, "Bad Request: Server not initialized");
      const named = request.headers.get("mcp-session-id");
      if (!named) throw refusal(400, "Bad Request: Mcp-Session-Id header is required");
      if (named !== this.sessionId) throw sessionNotFound();
    }
    assertProtocolVersion(request, this.supportedVersions);
  }

  /** Lets the handler of a request close streams. */
  #closers(message: JSONRPCMessage): StreamClosers {
    if (!isJSONRPCRequest(message)) return {};
    return {
      closeSSEStream: () => this.closeSSEStream(message.id),
      closeStandaloneSSEStream: () => this.closeStandaloneSSEStream(),
    };
  }

  async #get(request: ReceivedRequest): Promise<HttpReply> {
    assertAccepts(request, ["text/event-stream"], "accept text/event-stream");
    this.#assertSession(request);
    const { eventStore } = this.#options;
    const lastEventId = request.headers.get("last-event-id");
    const writer =
      eventStore && lastEventId ? await this.#resume(eventStore, lastEventId) : this.#streams.openStandalone();
    return this.#streamResponse(writer);
  }

  async #resume(eventStore: EventStore, lastEventId: string): Promise<SseWriter> {
    try {
      return await this.#streams.resume(eventStore, lastEventId);
    } catch (error) {
      if (error instanceof HttpRefusal) throw error;
      this.onerror?.(error as Error);
      throw refusal(500, "Error replaying events");
    }
  }

  async #delete(request: ReceivedRequest): Promise<HttpReply> {
    this.#assertSession(request);
    try {
      await this.#options.onsessionclosed?.(this.sessionId ?? "");
      return { status: 200, headers: {} };
    } finally {
      await this.close();
    }
  }

  #streamResponse(body: SseWriter): HttpReply {
    return {
      status: 200,
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-transform",
        connection: "keep-alive",
        "x-accel-buffering": "no",
        ...this.#sessionHeader(),
      },
      body,
    };
  }

  #sessionHeader(): Record<string, string> {
    return this.sessionId === undefined ? {} : { "mcp-session-id": this.sessionId };
  }
}
