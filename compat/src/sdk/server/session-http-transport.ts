import { DEFAULT_NEGOTIATED_PROTOCOL_VERSION, LATEST_PROTOCOL_VERSION } from "../../types/constants.js";
import { resolveMaxRequestBodySize } from "../../shared/request-body.js";
import type { AuthInfo, JSONRPCMessage, JSONRPCRequest, RequestId } from "../messages.js";
import type { MessageExtraInfo, Transport } from "../shared/transport.js";
import { DEFAULT_SSE_KEEP_ALIVE_MS, EventStream } from "./event-stream.js";
import {
  type AllowedSources,
  assertAccepts,
  assertProtocolVersion,
  HttpRefusal,
  refusal,
  sessionNotFound,
  sourceProblem,
} from "./http-refusal.js";
import { readMessages } from "./received-messages.js";

export type StreamId = string;
export type EventId = string;

/** Keeps sent messages, so that clients can resume streams. */
export interface EventStore {
  /** Keeps a message and returns an id that is unique among all streams. */
  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId>;
  /** Returns the stream of an event. Without it, a client can resume a stream that another connection reads. */
  getStreamIdForEventId?(eventId: EventId): Promise<StreamId | undefined>;
  /** Sends the events of a stream after one of them, in their order, and returns the stream. */
  replayEventsAfter(
    lastEventId: EventId,
    { send }: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId>;
}

export interface SessionHttpTransportOptions extends AllowedSources {
  /** Returns the id of the session. Default: no session; the transport then serves one request. */
  sessionIdGenerator?: (() => string) | undefined;
  onsessioninitialized?: ((sessionId: string) => void | Promise<void>) | undefined;
  /** Called when the client ends the session. */
  onsessionclosed?: ((sessionId: string) => void | Promise<void>) | undefined;
  /** Whether responses are JSON, not streams. Default: `false`. */
  enableJsonResponse?: boolean | undefined;
  eventStore?: EventStore | undefined;
  allowedHosts?: string[] | undefined;
  allowedOrigins?: string[] | undefined;
  /** Milliseconds after which clients reconnect to a stream that was closed. */
  retryInterval?: number | undefined;
  /** Milliseconds between two comments that keep a stream open; 0 for none. Default: `15_000`. */
  keepAliveMs?: number | undefined;
  /** The largest body that is read, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number | undefined;
}

export interface HandleRequestOptions {
  /** The value of the body, if a framework has read it already. */
  parsedBody?: unknown;
  authInfo?: AuthInfo | undefined;
}

/** The requests of one POST. */
interface Exchange {
  readonly streamId: StreamId;
  /** The requests without a response. */
  readonly open: Set<RequestId>;
  /** With `enableJsonResponse`: the responses, and the function that sends them. */
  readonly json: { readonly responses: JSONRPCMessage[]; readonly resolve: (response: Response) => void } | undefined;
  isResumable: boolean;
}

/** The stream of messages that belong to no request. */
const standalone = "_GET_stream";

/** Streamable HTTP for one session, or for one request without a session, on any host. */
export abstract class SessionHttpTransport implements Transport {
  sessionId?: string | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  readonly #options: SessionHttpTransportOptions;
  readonly #maxBytes: number;
  readonly #streams = new Map<StreamId, EventStream>();
  readonly #exchanges = new Map<RequestId, Exchange>();
  #isStarted = false;
  #isInitialized = false;
  #isUsed = false;
  #isClosed = false;

  constructor(options: SessionHttpTransportOptions = {}) {
    this.#options = options;
    this.#maxBytes = resolveMaxRequestBodySize(options.maxRequestBodySize);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async start(): Promise<void> {
    if (this.#isStarted) throw new Error("Transport already started");
    this.#isStarted = true;
  }

  /**
   * Handles a request of the client.
   * @throws Error for a second request without sessions
   */
  protected async serve(request: Request, options: HandleRequestOptions = {}): Promise<Response> {
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

  async #post(request: Request, { parsedBody, authInfo }: HandleRequestOptions): Promise<Response> {
    const both = ["application/json", "text/event-stream"];
    assertAccepts(request, both, `accept both ${both.join(" and ")}`);
    const messages = await readMessages(request, parsedBody, this.#maxBytes);
    this.#assertOpen();
    const initialize = messages.find((one) => "method" in one && one.method === "initialize" && "id" in one);
    if (initialize) await this.#initialize(messages);
    else this.#assertSession(request);
    this.#assertOpen();
    const { params } = (initialize ?? {}) as { readonly params?: { readonly protocolVersion?: string } };
    const version =
      params?.protocolVersion ?? request.headers.get("mcp-protocol-version") ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
    const requestInfo = { headers: Object.fromEntries(request.headers), url: new URL(request.url) };
    const extra = { authInfo, requestInfo };
    const requests = messages.filter((one): one is JSONRPCRequest => "method" in one && "id" in one);
    if (requests.length === 0) {
      for (const message of messages) this.onmessage?.(message, extra);
      return new Response(null, { status: 202 });
    }
    const deliver = (): void => {
      for (const message of messages) this.onmessage?.(message, { ...extra, ...this.#closers(message, version) });
    };
    return this.#options.enableJsonResponse
      ? this.#respondOnce(requests, deliver)
      : this.#respondByStream(requests, version, deliver);
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

  #assertSession(request: Request): void {
    if (this.#options.sessionIdGenerator) {
      if (!this.#isInitialized) throw refusal(400, "Bad Request: Server not initialized");
      const named = request.headers.get("mcp-session-id");
      if (!named) throw refusal(400, "Bad Request: Mcp-Session-Id header is required");
      if (named !== this.sessionId) throw sessionNotFound();
    }
    assertProtocolVersion(request);
  }

  /** Lets the handler of a request close streams, where clients resume them. */
  #closers(message: JSONRPCMessage, version: string): Partial<MessageExtraInfo> {
    if (!this.#canPoll(version) || !("method" in message) || !("id" in message)) return {};
    const { id } = message;
    return {
      closeSSEStream: () => this.closeSSEStream(id),
      closeStandaloneSSEStream: () => this.closeStandaloneSSEStream(),
    };
  }

  #canPoll(version: string): boolean {
    return this.#options.eventStore !== undefined && version >= LATEST_PROTOCOL_VERSION;
  }

  #respondOnce(requests: readonly JSONRPCRequest[], deliver: () => void): Promise<Response> {
    return new Promise((resolve) => {
      this.#expect(requests, { responses: [], resolve });
      deliver();
    });
  }

  async #respondByStream(requests: readonly JSONRPCRequest[], version: string, deliver: () => void): Promise<Response> {
    const exchange = this.#expect(requests, undefined);
    const { streamId } = exchange;
    const stream = this.#open(streamId);
    const { eventStore, retryInterval } = this.#options;
    try {
      if (eventStore && this.#canPoll(version)) {
        stream.prime(await eventStore.storeEvent(streamId, {} as JSONRPCMessage), retryInterval);
        exchange.isResumable = true;
      }
      deliver();
    } catch (error) {
      stream.close();
      for (const { id } of requests) this.#exchanges.delete(id);
      throw error;
    }
    return new Response(stream.body, { headers: this.#streamHeaders() });
  }

  #expect(requests: readonly JSONRPCRequest[], json: Exchange["json"]): Exchange {
    const open = new Set(requests.map(({ id }) => id));
    const exchange: Exchange = { streamId: crypto.randomUUID(), open, json, isResumable: false };
    for (const id of open) this.#exchanges.set(id, exchange);
    return exchange;
  }

  #open(streamId: StreamId): EventStream {
    const stream = new EventStream(this.#options.keepAliveMs ?? DEFAULT_SSE_KEEP_ALIVE_MS, (ended) => {
      if (this.#streams.get(streamId) === ended) this.#streams.delete(streamId);
    });
    this.#streams.set(streamId, stream);
    return stream;
  }

  #streamHeaders(): Record<string, string> {
    return {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      connection: "keep-alive",
      "x-accel-buffering": "no",
      ...this.#sessionHeader(),
    };
  }

  #sessionHeader(): Record<string, string> {
    return this.sessionId === undefined ? {} : { "mcp-session-id": this.sessionId };
  }

  async #get(request: Request): Promise<Response> {
    assertAccepts(request, ["text/event-stream"], "accept text/event-stream");
    this.#assertSession(request);
    const lastEventId = request.headers.get("last-event-id");
    if (this.#options.eventStore && lastEventId) return this.#resume(this.#options.eventStore, lastEventId);
    if (this.#streams.has(standalone)) throw refusal(409, "Conflict: Only one SSE stream is allowed per session");
    return new Response(this.#open(standalone).body, { headers: this.#streamHeaders() });
  }

  async #resume(eventStore: EventStore, lastEventId: EventId): Promise<Response> {
    if (eventStore.getStreamIdForEventId) {
      const known = await eventStore.getStreamIdForEventId(lastEventId);
      if (!known) throw refusal(400, "Invalid event ID format");
      if (this.#streams.has(known)) throw refusal(409, "Conflict: Stream already has an active connection");
    }
    let ended = (_stream: EventStream): void => undefined;
    const stream = new EventStream(this.#options.keepAliveMs ?? DEFAULT_SSE_KEEP_ALIVE_MS, (one) => ended(one));
    let streamId: StreamId;
    try {
      streamId = await eventStore.replayEventsAfter(lastEventId, {
        send: (eventId, message) => {
          stream.send(message, eventId);
          stream.replayed.add(eventId);
          return Promise.resolve();
        },
      });
    } catch (error) {
      stream.close();
      this.onerror?.(error as Error);
      throw refusal(500, "Error replaying events");
    }
    if (this.#isClosed || !stream.isOpen) {
      stream.close();
      throw sessionNotFound();
    }
    this.#streams.get(streamId)?.close();
    this.#streams.set(streamId, stream);
    ended = (one) => {
      if (this.#streams.get(streamId) === one) this.#streams.delete(streamId);
    };
    return new Response(stream.body, { headers: this.#streamHeaders() });
  }

  async #delete(request: Request): Promise<Response> {
    this.#assertSession(request);
    try {
      await this.#options.onsessionclosed?.(this.sessionId ?? "");
      return new Response(null, { status: 200 });
    } finally {
      await this.close();
    }
  }

  /** @throws Error (a rejection) when the request of the message has no stream */
  async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId | undefined }): Promise<void> {
    const isResponse = !("method" in message);
    const requestId = isResponse ? message.id : options?.relatedRequestId;
    if (requestId === undefined) {
      if (isResponse)
        throw new Error("Cannot send a response on a standalone SSE stream unless resuming a previous client request");
      const eventId = await this.#options.eventStore?.storeEvent(standalone, message);
      this.#streams.get(standalone)?.send(message, eventId);
      return;
    }
    const exchange = this.#exchanges.get(requestId);
    if (!exchange) throw new Error(`No connection established for request ID: ${requestId}`);
    const { streamId, json, open } = exchange;
    if (!json) {
      const eventId = await this.#options.eventStore?.storeEvent(streamId, message);
      this.#streams.get(streamId)?.send(message, eventId);
      exchange.isResumable ||= eventId !== undefined && this.#streams.has(streamId);
    }
    if (!isResponse) return;
    open.delete(requestId);
    this.#exchanges.delete(requestId);
    json?.responses.push(message);
    if (open.size > 0) return;
    if (json) {
      const { responses } = json;
      json.resolve(
        Response.json(responses.length === 1 ? responses[0] : responses, { headers: this.#sessionHeader() }),
      );
      return;
    }
    const stream = this.#streams.get(streamId);
    if (!stream && !this.#isClosed && !exchange.isResumable)
      throw new Error(`No connection established for request ID: ${requestId}`);
    stream?.close();
  }

  /** Closes the stream of a request; the client reconnects for the remaining messages. */
  closeSSEStream(requestId: RequestId): void {
    const exchange = this.#exchanges.get(requestId);
    if (exchange) this.#streams.get(exchange.streamId)?.close();
  }

  /** Closes the stream of messages that belong to no request. */
  closeStandaloneSSEStream(): void {
    this.#streams.get(standalone)?.close();
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- the signature of transports
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stream of [...this.#streams.values()]) stream.close();
    this.onclose?.();
  }
}
