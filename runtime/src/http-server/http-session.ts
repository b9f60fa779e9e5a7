import type { Profile, RequestId } from "@mcpwright/protocol/contract";
import { NOTIFICATIONS_CANCELLED } from "@mcpwright/protocol/names";
import { RequestIdMap } from "../collections/request-id-map.js";
import { LAST_EVENT_ID, SESSION_ID } from "../http/headers.js";
import { toError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage, JSONRPCResponse } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import type { HttpRequestInfo, MessageExtra } from "../transport/message-extra.js";
import type { Transport, TransportSendOptions } from "../transport/transport.js";
import { baseBytes } from "./client-limits.js";
import type { EndpointContext } from "./endpoint-context.js";
import { HeldMemory } from "./held-memory.js";
import type { HttpHeaders, HttpRequest, Responder } from "./host-adapter.js";
import type { HostedConnection } from "./hosted-server.js";
import type { ManagedSession } from "./managed-session.js";
import { isRequest, Outbox } from "./outbox.js";
import { principalKey } from "./principal-key.js";
import { busyRejection, HttpRejection, sendRejection } from "./rejection.js";
import { requestIds } from "./request-ids.js";
import { withSseHeaders } from "./response-headers.js";
import { SessionStream } from "./session-stream.js";
import type { ClientKey } from "./shared-limit.js";
import type { StreamEvents } from "./server-backplane.js";
import type { StreamOwner } from "./stream-owner.js";
import { StreamReplay } from "./stream-replay.js";

/** Prefix of the ids of streams that were opened by GET, within the session. */
const listenerMark = "g";

/**
 * A session of a handshake-era client (MCP 2025-03-26 to 2025-11-25, transports: Streamable HTTP): a transport that sends
 * messages in the responses to POSTs and on streams opened by GET.
 */
export class HttpSession implements Transport, ManagedSession, StreamOwner<SessionStream> {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];
  /** `performance.now()` of the last request. */
  lastUsedAt = 0;
  /** The key of the principal that opened the session. */
  readonly owner: string | undefined;
  isUsed = false;
  readonly connection: HostedConnection;
  /** The streams of requests that are being handled. */
  readonly #replyStreams = new RequestIdMap<SessionStream>();
  /** The unfinished streams that a client may resume, by id. */
  readonly #streams = new Map<string, SessionStream>();
  /** The open streams that were opened by GET. */
  #listeners: SessionStream[] = [];
  /** The last disconnected GET stream that a client may resume; it stores messages that do not fit into the outbox. */
  #resumable: SessionStream | undefined;
  #outbox: Outbox | undefined;
  #count = 0;
  #open = true;
  readonly #memory: HeldMemory;

  constructor(
    readonly endpoint: EndpointContext,
    /** Empty for a session that serves a single request. */
    readonly sessionId: string,
    { principal }: HttpRequest,
    readonly client: ClientKey,
  ) {
    this.owner = principalKey(principal);
    this.connection = endpoint.server.accept(this);
    this.#memory = new HeldMemory(endpoint.limits.memory, client);
    this.#memory.add(baseBytes);
    // Counts until its handler is done, even when the client has left: that is not a cancellation in the handshake era.
    if (this.isSingleRequest) endpoint.limits.requests.add(client);
  }

  get isSingleRequest(): boolean {
    return this.sessionId === "";
  }

  get profile(): Profile | undefined {
    return this.connection.session?.side.profile;
  }

  get #events(): StreamEvents | undefined {
    return this.isSingleRequest ? undefined : this.endpoint.events;
  }

  /** Keeps sent messages, where the revision lets clients resume streams. */
  get streamEvents(): StreamEvents | undefined {
    return this.profile?.resumption ? this.#events : undefined;
  }

  get idleMs(): number {
    return this.endpoint.sessions.idleMs;
  }

  get isBusy(): boolean {
    return this.#replyStreams.size > 0 || this.isReachable;
  }

  get isReachable(): boolean {
    return this.#listeners.length > 0;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Handles a message or a batch. @param bytes its estimated memory */
  post(request: HttpRequest, message: unknown, responder: Responder, bytes: number): void {
    this.lastUsedAt = performance.now();
    const ids = requestIds(message);
    const headers = this.endpoint.originPolicy.headers(request);
    const extra = this.#extra(request, ids[0]);
    const isDoubled =
      ids.some((id) => this.#replyStreams.has(id)) || (ids.length > 1 && new Set(ids).size < ids.length);
    if (isDoubled) {
      if (this.isSingleRequest) void this.close();
      throw new HttpRejection(400, "Invalid Request: id is in use");
    }
    if (ids.length === 0) {
      this.#deliverToConnection(message, extra);
      responder.respond(202, headers);
      if (this.isSingleRequest) void this.close();
      return;
    }
    if (!this.isSingleRequest && !this.endpoint.limits.suspended.makeMemory(this.client, bytes)) throw busyRejection();
    const stream = this.#newStream(responder, headers);
    // The first response contains the session id.
    if (this.#count === 1 && !this.isSingleRequest) stream.headers = { ...headers, [SESSION_ID]: this.sessionId };
    stream.received = message;
    stream.pendingRequests = ids.length;
    stream.heldBytes = bytes;
    this.#memory.add(bytes);
    if (this.#count > 1) this.#use();
    for (const id of ids) this.#replyStreams.set(id, stream);
    this.#deliverToConnection(message, extra);
    if (!stream.hasEnded) this.endpoint.streams.keepAlive(stream);
  }

  /** Opens a stream for messages that belong to no request, or resumes a disconnected stream. */
  get(request: HttpRequest, responder: Responder): void {
    responder.watchDisconnect();
    this.lastUsedAt = performance.now();
    this.#use();
    const lastEventId = request.header(LAST_EVENT_ID);
    if (lastEventId !== undefined && this.streamEvents) {
      this.#resume(this.streamEvents, lastEventId, request, responder).catch((error: unknown) => {
        if (!(error instanceof HttpRejection)) this.report(error);
        sendRejection(
          responder,
          error instanceof HttpRejection ? error : new HttpRejection(500, "The stored events cannot be read"),
          this.endpoint.originPolicy.headers(request),
        );
      });
      return;
    }
    this.#openListener(request, responder);
  }

  send(message: JSONRPCMessage | readonly JSONRPCMessage[], options?: TransportSendOptions): void {
    if (!this.#open) throw new SdkError("NOT_CONNECTED", "the session has ended");
    // First of all: if this throws, the request is still known and gets an error response.
    const text = serialize(message);
    if (Array.isArray(message) || !("method" in message)) return this.#respond(message as JSONRPCResponse, text);
    const related = options?.relatedRequestId;
    const stream = related === undefined ? undefined : this.#replyStreams.get(related);
    if (!stream) return this.#sendUnrelated(message, text);
    const mayStream = this.endpoint.options.responseMode !== "json" || stream.isOpen;
    if (mayStream && stream.canDeliver) stream.send(message, text);
    // Requests and cancellations must not get lost.
    else if (isRequest(message) || message.method === NOTIFICATIONS_CANCELLED) this.#sendUnrelated(message, text);
  }

  reserve(bytes: number): boolean {
    return this.#memory.reserve(bytes);
  }

  requestDropped(id: RequestId): void {
    const stream = this.#removeReplyStream(id);
    if (stream?.pendingRequests === 0) stream.end();
  }

  close(): Promise<void> {
    if (!this.#open) return Promise.resolve();
    this.#open = false;
    this.endpoint.sessions.delete(this);
    if (this.isSingleRequest) this.endpoint.limits.requests.add(this.client, -1);
    for (const stream of [...this.#replyStreams.values(), ...this.#streams.values()]) stream.terminate();
    this.#outbox = undefined;
    this.#memory.release();
    this.onclose?.();
    return Promise.resolve();
  }

  report(error: unknown): void {
    this.onerror?.(toError(error));
  }

  /** Called when no client reads the stream any more. */
  onDetached(stream: SessionStream): void {
    this.lastUsedAt = performance.now();
    this.#listeners = this.#listeners.filter((one) => one !== stream);
    this.endpoint.streams.release(stream);
  }

  /** Keeps a disconnected stream if it was opened by GET: only the last one, which receives all messages. */
  keepForResume(stream: SessionStream): boolean {
    if (!this.#isListener(stream.id)) return false;
    this.#setResumable(stream);
    return true;
  }

  /** Called when nothing more will be sent on the stream. */
  onFinished(stream: SessionStream): void {
    this.#streams.delete(stream.id);
    this.endpoint.streams.release(stream);
    if (this.isSingleRequest) void this.close();
  }

  /** What the transport knows about a message. @param id the id of its first request */
  #extra(request: HttpRequest, id: RequestId | undefined): MessageExtra {
    const { principal, url, remoteAddress, remotePort, httpVersion } = request;
    if (!this.profile?.polling || !this.#events) return { principal, http: request };
    const http: HttpRequestInfo = {
      url,
      remoteAddress,
      remotePort,
      httpVersion,
      header: (name) => request.header(name),
      closeSSE: (retryMs) => {
        if (id !== undefined) this.#replyStreams.get(id)?.closeForReconnect(retryMs);
      },
      closeStandaloneSSE: (retryMs) => {
        for (const stream of [...this.#listeners]) stream.closeForReconnect(retryMs);
      },
    };
    return { principal, http };
  }

  #deliverToConnection(message: unknown, extra: MessageExtra): void {
    try {
      this.onmessage?.(message, extra);
    } catch (error) {
      this.report(error);
    }
  }

  #use(): void {
    if (this.isUsed) return;
    this.isUsed = true;
    this.endpoint.sessions.onUsed(this);
  }

  #newStream(responder: Responder, headers: HttpHeaders, mark = ""): SessionStream {
    this.#count++;
    const id = mark || this.#events ? `${this.sessionId}.${mark}${this.#count}` : "";
    const stream = new SessionStream(this, id, responder, headers);
    if (id) this.#streams.set(id, stream);
    return stream;
  }

  #openListener(request: HttpRequest, responder: Responder): void {
    if (!this.endpoint.streams.hasRoom(this.client)) throw new HttpRejection(503, "Too many streams");
    // A client that opens a new stream will not resume the old one.
    this.#setResumable(undefined);
    const stream = this.#newStream(responder, this.endpoint.originPolicy.headers(request), listenerMark);
    stream.open();
    stream.sendKeepAlive();
    this.#addListener(stream, request);
  }

  #setResumable(stream: SessionStream | undefined): void {
    if (this.#resumable && this.#resumable !== stream) this.#streams.delete(this.#resumable.id);
    this.#resumable = stream;
  }

  #addListener(stream: SessionStream, request: HttpRequest): void {
    if (this.#resumable === stream) this.#resumable = undefined;
    this.#listeners.push(stream);
    this.endpoint.streams.addStanding(stream, request);
    for (const { message, text } of this.#outbox?.takeAll() ?? []) stream.send(message, text);
  }

  #sendUnrelated(message: JSONRPCMessage, text: string): void {
    const stream = this.#listeners.at(-1);
    if (stream) return stream.send(message, text);
    this.#outbox ??= new Outbox(this.endpoint.maxQueuedBytes);
    const overflow = this.#outbox.add(message, text, this.#resumable);
    if (overflow) this.report(overflow);
  }

  #respond(message: JSONRPCResponse | readonly JSONRPCResponse[], text: string): void {
    let stream: SessionStream | undefined;
    for (const { id } of "jsonrpc" in message ? [message] : message)
      if (id !== undefined) stream = this.#removeReplyStream(id) ?? stream;
    if (!stream) return;
    // Another request, such as a ping, may be answered before `initialize`.
    const hasFailed = !this.connection.session && this.#replyStreams.size === 0;
    if (hasFailed) stream.removeSessionHeader();
    stream.respond(message, text, this.endpoint.options.responseMode === "sse");
    if (hasFailed) void this.close();
  }

  /** Called when a request has ended. Returns the stream of its response. */
  #removeReplyStream(id: RequestId): SessionStream | undefined {
    const stream = this.#replyStreams.get(id);
    this.#replyStreams.delete(id);
    if (stream && --stream.pendingRequests === 0 && this.#open) this.#memory.add(-stream.heldBytes);
    return stream;
  }

  async #resume(events: StreamEvents, lastEventId: string, request: HttpRequest, responder: Responder): Promise<void> {
    const replay = new StreamReplay(this.endpoint.maxQueuedBytes);
    responder.disconnectListener = replay;
    const streamId = await events.findStream(lastEventId);
    if (!this.#open) throw new HttpRejection(404, "Session not found");
    // The events of this GET stream are lost. Rejecting would not recover them, so a new stream is opened.
    if (streamId === undefined && this.#isListener(lastEventId) && !replay.isDisconnected) {
      this.#openListener(request, responder);
      return;
    }
    if (!streamId?.startsWith(`${this.sessionId}.`))
      throw new HttpRejection(400, "Last-Event-ID does not name a stored event of this session");
    const isListener = this.#isListener(streamId);
    const known = this.#streams.get(streamId);
    if (isListener && !this.endpoint.streams.hasRoom(this.client, known))
      throw new HttpRejection(503, "Too many streams");
    // While no stream is open, messages wait in the outbox of the session, so the broken stream may be gone already.
    const stream = known ?? (isListener ? new SessionStream(this, streamId) : undefined);
    if (stream) this.#streams.set(streamId, stream);
    const heldEvents = stream?.beginReplay();
    // Clients that reconnect meanwhile must not take its place under `maxStreams`.
    if (isListener && stream) this.endpoint.streams.addStanding(stream, request);
    const writer = responder.startStream(200, withSseHeaders(this.endpoint.originPolicy.headers(request)));
    try {
      await replay.send(events, lastEventId, writer, () => stream?.onWriterLost(writer));
      // An event that was replayed while being stored must not be sent twice.
      if (stream?.storing) await stream.storing;
    } catch (error) {
      this.report(error);
      writer.abort();
      replay.isDisconnected = true;
    }
    if (!stream || !heldEvents) writer.end();
    else if (stream.endReplay(writer, replay.sentIds, heldEvents)) {
      // Hosts send the head with the first write. A client that missed no events must not wait for it.
      if (replay.sentIds.size === 0) stream.sendKeepAlive();
      if (isListener) this.#addListener(stream, request);
      else this.endpoint.streams.keepAlive(stream);
      // The client disconnected during the replay and may reconnect.
      if (replay.isDisconnected) stream.onWriterLost(writer);
    }
  }

  /** Whether a stream was opened by GET. @param id of the stream, or of one of its events, which begins with it */
  #isListener(id: string): boolean {
    return id.startsWith(`${this.sessionId}.${listenerMark}`);
  }
}
