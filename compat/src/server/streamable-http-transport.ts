import { SUPPORTED_PROTOCOL_VERSIONS } from "../types/index.js";
import type {
  AuthInfo,
  InitializeRequest,
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
} from "../types/index.js";
import { isInitializeRequest, isJSONRPCRequest } from "../types/index.js";
import { resolveMaxRequestBodySize } from "../shared/request-body.js";
import type { Transport } from "../shared/transport.js";
import type { EventStore, StreamId } from "./event-store.js";
import { isMessage } from "./is-message.js";
import { errorResponse, parseRequestBody } from "./parse-request-body.js";
import type { ScopeChallengeHandler } from "./scope-challenge.js";
import { scopeRefusal } from "./scope-refusal.js";
import { contentRefusal, rebindingRefusal, sessionRefusal, versionRefusal } from "./session-checks.js";
import { SseWriter } from "./sse-writer.js";

export interface WebStandardStreamableHTTPServerTransportOptions {
  /** Creates the id of the session. Default: no session; the transport then serves one request. */
  sessionIdGenerator?: (() => string) | undefined;
  onsessioninitialized?: ((sessionId: string) => void | Promise<void>) | undefined;
  /** Called when the client has ended the session. */
  onsessionclosed?: ((sessionId: string) => void | Promise<void>) | undefined;
  /** Whether responses are JSON, without a stream. Default: `false`. */
  enableJsonResponse?: boolean;
  /** Keeps messages, so that clients can resume streams. */
  eventStore?: EventStore;
  allowedHosts?: string[];
  allowedOrigins?: string[];
  /** Whether `allowedHosts` and `allowedOrigins` are checked. Default: `false`. */
  enableDnsRebindingProtection?: boolean;
  /** Milliseconds that clients wait before they reconnect. */
  retryInterval?: number;
  /** Milliseconds between keep-alive comments; 0 for none. Default: `15_000`. */
  keepAliveMs?: number;
  /** Maximum size of a request body in bytes. Default: `4_194_304`. */
  maxRequestBodySize?: number;
  supportedProtocolVersions?: string[];
}

export interface HandleRequestOptions {
  /** The parsed body, if the host has already read it. */
  parsedBody?: unknown;
  /** The client, as the host has authenticated it. */
  authInfo?: AuthInfo | undefined;
}

/** The stream of messages that belong to no request. */
const STANDALONE = "_GET_stream";
/** The first version whose clients accept events without a message. */
const FIRST_WITH_PRIMING = "2025-11-25";

/** The requests of a POST, which end with their responses. */
interface Exchange {
  readonly ids: readonly RequestId[];
  readonly responses: Map<RequestId, JSONRPCMessage>;
  /** Resolves a response without a stream. */
  readonly resolve?: (response: Response) => void;
}

/** Serves one session, or one request, of a client with a handshake over HTTP. */
export class WebStandardStreamableHTTPServerTransport implements Transport {
  sessionId?: string;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #options: WebStandardStreamableHTTPServerTransportOptions;
  readonly #maxBytes: number;
  readonly #streams = new Map<StreamId, SseWriter>();
  readonly #exchanges = new Map<StreamId, Exchange>();
  readonly #streamOf = new Map<RequestId, StreamId>();
  #supported: readonly string[];
  #hasHandled = false;
  #isInitialized = false;
  #isStarted = false;
  #isClosed = false;
  #resolveScopes: ScopeChallengeHandler | undefined;

  constructor(options: WebStandardStreamableHTTPServerTransportOptions = {}) {
    this.#options = options;
    this.#maxBytes = resolveMaxRequestBodySize(options.maxRequestBodySize);
    this.#supported = options.supportedProtocolVersions ?? SUPPORTED_PROTOCOL_VERSIONS;
  }

  /** Sets the scopes that requests need. */
  setScopeChallengeResolver(resolver: ScopeChallengeHandler): void {
    this.#resolveScopes = resolver;
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#supported = versions;
  }

  start(): Promise<void> {
    if (this.#isStarted) return Promise.reject(new Error("Transport already started"));
    this.#isStarted = true;
    return Promise.resolve();
  }

  /** Serves a request. Rejects when a transport without sessions gets a second one. */
  async handleRequest(request: Request, options: HandleRequestOptions = {}): Promise<Response> {
    const refusal = rebindingRefusal(request, {
      enableDnsRebindingProtection: this.#options.enableDnsRebindingProtection ?? false,
      allowedHosts: this.#options.allowedHosts,
      allowedOrigins: this.#options.allowedOrigins,
    });
    if (refusal) return this.#refuse(refusal);
    if (!this.#options.sessionIdGenerator && this.#hasHandled)
      throw new Error("Stateless transport cannot be reused across requests. Create a new transport per request.");
    this.#hasHandled = true;
    switch (request.method) {
      case "POST":
        return this.#post(request, options);
      case "GET":
        return this.#get(request);
      case "DELETE":
        return this.#delete(request);
      default:
        return errorResponse(405, -32000, "Method not allowed.", { headers: { allow: "GET, POST, DELETE" } });
    }
  }

  /** Closes the response stream of a request, so that the client reconnects for the remaining messages. */
  closeSSEStream(requestId: RequestId): void {
    const stream = this.#streamOf.get(requestId);
    if (stream !== undefined) this.#streams.get(stream)?.close();
  }

  /** Closes the stream of messages that belong to no request, so that the client reconnects. */
  closeStandaloneSSEStream(): void {
    this.#streams.get(STANDALONE)?.close();
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    for (const writer of [...this.#streams.values()]) writer.close();
    for (const { resolve } of this.#exchanges.values()) resolve?.(errorResponse(503, -32000, "Connection closed"));
    this.#exchanges.clear();
    this.#streamOf.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  /** Sends a message on the stream of the request that it belongs to, or on the one for other messages. */
  async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId | undefined }): Promise<void> {
    const isResponse = !("method" in message);
    const id = isResponse ? message.id : options?.relatedRequestId;
    if (id === undefined) {
      if (isResponse)
        throw new Error("Cannot send a response on a standalone SSE stream unless resuming a previous client request");
      return this.#write(STANDALONE, message);
    }
    const stream = this.#streamOf.get(id);
    const exchange = stream === undefined ? undefined : this.#exchanges.get(stream);
    if (stream === undefined || !exchange) throw new Error(`No connection established for request ID: ${String(id)}`);
    if (!exchange.resolve) await this.#write(stream, message);
    if (!isResponse) return;
    exchange.responses.set(id, message);
    if (exchange.responses.size === exchange.ids.length) this.#finish(stream, exchange);
  }

  async #post(request: Request, { parsedBody, authInfo }: HandleRequestOptions): Promise<Response> {
    const refusal = contentRefusal(request);
    if (refusal) return this.#refuse(refusal);
    const body = parsedBody === undefined ? await parseRequestBody(request, this.#maxBytes) : { message: parsedBody };
    if ("problem" in body) return this.#refuse(errorResponse(body.status, body.code, body.problem));
    const messages = [body.message].flat();
    if (messages.length === 0 || !messages.every(isMessage))
      return this.#refuse(errorResponse(400, -32700, "Parse error: Invalid JSON-RPC message"));
    const refused = messages.some(isInitializeRequest)
      ? await this.#initialize(messages.length)
      : (this.#sessionRefusal(request) ?? versionRefusal(request, this.#supported));
    if (refused) return this.#refuse(refused);
    for (const message of messages) {
      const resolveScopeChallenge = this.#resolveScopes;
      const missing = resolveScopeChallenge && (await scopeRefusal({ resolveScopeChallenge }, message, authInfo));
      if (missing) return missing;
    }
    const extra: MessageExtraInfo = { request, ...(authInfo && { authInfo }) };
    const requests = messages.filter(isJSONRPCRequest);
    if (requests.length > 0) return this.#exchange(request, messages, requests, extra);
    for (const message of messages) this.onmessage?.(message, extra);
    return new Response(null, { status: 202 });
  }

  /** Opens the session. Returns the response when it cannot be opened. */
  async #initialize(length: number): Promise<Response | undefined> {
    if (this.#isInitialized && this.sessionId !== undefined)
      return errorResponse(400, -32600, "Invalid Request: Server already initialized");
    if (length > 1) return errorResponse(400, -32600, "Invalid Request: Only one initialization request is allowed");
    this.#isInitialized = true;
    const { sessionIdGenerator, onsessioninitialized } = this.#options;
    const id = sessionIdGenerator?.();
    if (id === undefined) return undefined;
    this.sessionId = id;
    await onsessioninitialized?.(id);
    return undefined;
  }

  #sessionRefusal(request: Request): Response | undefined {
    return this.#options.sessionIdGenerator && sessionRefusal(request, this.sessionId);
  }

  async #exchange(
    request: Request,
    messages: readonly JSONRPCMessage[],
    requests: readonly JSONRPCRequest[],
    extra: MessageExtraInfo,
  ): Promise<Response> {
    const stream = crypto.randomUUID();
    const ids = requests.map(({ id }) => id);
    for (const id of ids) this.#streamOf.set(id, stream);
    const responses = new Map<RequestId, JSONRPCMessage>();
    if (this.#options.enableJsonResponse) {
      const response = new Promise<Response>((resolve) => this.#exchanges.set(stream, { ids, responses, resolve }));
      for (const message of messages) this.onmessage?.(message, extra);
      return response;
    }
    this.#exchanges.set(stream, { ids, responses });
    const writer = this.#open(stream);
    const canPoll = await this.#prime(writer, stream, this.#versionOf(request, messages));
    for (const message of messages) {
      if (!canPoll || !isJSONRPCRequest(message)) this.onmessage?.(message, extra);
      else
        this.onmessage?.(message, {
          ...extra,
          closeSSEStream: () => this.closeSSEStream(message.id),
          closeStandaloneSSEStream: () => this.closeStandaloneSSEStream(),
        });
    }
    return this.#streamResponse(writer);
  }

  #versionOf(request: Request, messages: readonly JSONRPCMessage[]): string {
    const opening = messages.find((one) => isInitializeRequest(one));
    return (
      (opening as InitializeRequest | undefined)?.params.protocolVersion ??
      request.headers.get("mcp-protocol-version") ??
      ""
    );
  }

  /** Sends an event that clients can resume after, if they accept it. Returns whether they can. */
  async #prime(writer: SseWriter, stream: StreamId, version: string): Promise<boolean> {
    const { eventStore, retryInterval } = this.#options;
    if (!eventStore || version < FIRST_WITH_PRIMING) return false;
    writer.priming(await eventStore.storeEvent(stream, {} as JSONRPCMessage), retryInterval);
    return true;
  }

  async #get(request: Request): Promise<Response> {
    const refusal =
      contentRefusal(request) ?? this.#sessionRefusal(request) ?? versionRefusal(request, this.#supported);
    if (refusal) return this.#refuse(refusal);
    const lastEventId = request.headers.get("last-event-id");
    if (lastEventId !== null && this.#options.eventStore) return this.#resume(this.#options.eventStore, lastEventId);
    if (this.#streams.has(STANDALONE))
      return this.#refuse(errorResponse(409, -32000, "Conflict: Only one SSE stream is allowed per session"));
    const writer = this.#open(STANDALONE);
    await this.#prime(writer, STANDALONE, request.headers.get("mcp-protocol-version") ?? "");
    return this.#streamResponse(writer);
  }

  async #resume(store: EventStore, lastEventId: string): Promise<Response> {
    if (store.getStreamIdForEventId) {
      const known = await store.getStreamIdForEventId(lastEventId);
      if (known === undefined) return this.#refuse(errorResponse(400, -32000, "Invalid event ID format"));
      if (this.#streams.has(known))
        return this.#refuse(errorResponse(409, -32000, "Conflict: Stream already has an active connection"));
    }
    const writer: SseWriter = new SseWriter(() => {
      for (const [stream, one] of this.#streams) if (one === writer) this.#streams.delete(stream);
    }, this.#keepAliveMs);
    const stream = await store.replayEventsAfter(lastEventId, {
      send: (eventId, message) => {
        // The event without a message is not one.
        if (isMessage(message)) writer.message(message, eventId);
        return Promise.resolve();
      },
    });
    this.#streams.set(stream, writer);
    // All responses were sent while the client was away.
    if (stream !== STANDALONE && !this.#exchanges.has(stream)) writer.close();
    return this.#streamResponse(writer);
  }

  async #delete(request: Request): Promise<Response> {
    const refusal = this.#sessionRefusal(request) ?? versionRefusal(request, this.#supported);
    if (refusal) return this.#refuse(refusal);
    if (this.sessionId !== undefined) await this.#options.onsessionclosed?.(this.sessionId);
    await this.close();
    return new Response(null, { status: 200 });
  }

  #open(stream: StreamId): SseWriter {
    const writer = new SseWriter(() => {
      if (this.#streams.get(stream) === writer) this.#streams.delete(stream);
    }, this.#keepAliveMs);
    this.#streams.set(stream, writer);
    return writer;
  }

  get #keepAliveMs(): number {
    return this.#options.keepAliveMs ?? 15_000;
  }

  /** Stores a message, if it can be resumed, and writes it, if the client reads the stream. */
  async #write(stream: StreamId, message: JSONRPCMessage): Promise<void> {
    const eventId = await this.#options.eventStore?.storeEvent(stream, message);
    this.#streams.get(stream)?.message(message, eventId);
  }

  #finish(stream: StreamId, { ids, responses, resolve }: Exchange): void {
    this.#exchanges.delete(stream);
    for (const id of ids) this.#streamOf.delete(id);
    const found = ids.map((id) => responses.get(id));
    if (resolve) resolve(Response.json(found.length === 1 ? found[0] : found, { headers: this.#headers() }));
    else this.#streams.get(stream)?.close();
  }

  #streamResponse(writer: SseWriter): Response {
    return new Response(writer.body, {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-transform",
        connection: "keep-alive",
        "x-accel-buffering": "no",
        ...this.#headers(),
      },
    });
  }

  #headers(): Record<string, string> {
    return this.sessionId === undefined ? {} : { "mcp-session-id": this.sessionId };
  }

  #refuse(response: Response): Response {
    this.onerror?.(new Error(`A request was refused with status ${response.status}`));
    return response;
  }
}
