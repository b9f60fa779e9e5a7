import type { Profile, RequestId } from "@mcpwright/protocol/contract";
import { NOTIFICATIONS_CANCELLED } from "@mcpwright/protocol/names";
import { RequestIdMap } from "../collections/request-id-map.js";
import type { Change } from "../connection/change.js";
import { SESSION_ID } from "../http/headers.js";
import { batchProblem } from "../jsonrpc/batch.js";
import { toError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage, JSONRPCResponse } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import type { MessageExtra } from "../transport/message-extra.js";
import type { Transport, TransportSendOptions } from "../transport/transport.js";
import { baseBytes } from "./client-limits.js";
import type { EndpointContext } from "./endpoint-context.js";
import { HeldMemory } from "./held-memory.js";
import type { HttpHeaders, HttpRequest, Responder } from "./host-adapter.js";
import type { HostedConnection } from "./hosted-server.js";
import type { ManagedSession } from "./managed-session.js";
import { isRequest, Outbox } from "./outbox.js";
import {
  busyRejection,
  HttpRejection,
  releasedRejection,
  sessionEndedRejection,
  unavailableRejection,
} from "./rejection.js";
import { requestIds } from "../jsonrpc/request-ids.js";
import { SessionStream } from "./session-stream.js";
import type { ClientKey } from "./shared-limit.js";
import type { StreamEvents } from "./server-backplane.js";
import { type SessionRecord, toRecord } from "./session-record.js";
import type { NodeSession, SharedSession } from "./shared-sessions.js";
import { withPolling } from "./with-polling.js";
import type { StreamOwner } from "./stream-owner.js";

/**
 * A session of a handshake-era client (MCP 2025-03-26 to 2025-11-25, transports: Streamable HTTP): a transport that sends
 * messages in the responses to POSTs and on streams opened by GET.
 */
export class HttpSession implements Transport, ManagedSession, NodeSession, StreamOwner<SessionStream> {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];
  /** `performance.now()` of the last request. */
  lastUsedAt = 0;
  isUsed = false;
  readonly connection: HostedConnection;
  /** The streams of requests that are being handled. */
  readonly #replyStreams = new RequestIdMap<SessionStream>();
  /** The unfinished streams of POSTs, by id. */
  readonly #streams = new Map<string, SessionStream>();
  /** The open streams that were opened by GET. */
  #listeners: SessionStream[] = [];
  #outbox: Outbox | undefined;
  #count = 0;
  #open = true;
  /** Whether the session has ended at this node only. */
  isReleased = false;
  readonly #memory: HeldMemory;
  /** Set when other nodes can serve the session, too. */
  readonly #shared: SharedSession | undefined;
  /** Whether other nodes know the session. */
  #isKnown = false;

  constructor(
    readonly endpoint: EndpointContext,
    /** Empty for a session that serves a single request. */
    readonly sessionId: string,
    /** The key of the principal that opened the session. */
    readonly owner: string | undefined,
    readonly client: ClientKey,
    /** The first request of the session at this node. */
    request: HttpRequest,
  ) {
    this.connection = endpoint.server.accept(this, request);
    this.#memory = new HeldMemory(endpoint.limits.memory, client);
    this.#memory.add(baseBytes);
    // Counts until its handler is done, even when the client has left: that is not a cancellation in the handshake era.
    if (this.isSingleRequest) endpoint.limits.requests.add(client);
    else this.#shared = endpoint.server.node?.sessions.attach(this);
  }

  get isSingleRequest(): boolean {
    return this.sessionId === "";
  }

  get profile(): Profile | undefined {
    return this.connection.session?.side.profile;
  }

  /** Keeps sent messages, where the revision lets clients resume streams. */
  get streamEvents(): StreamEvents | undefined {
    return this.#shared && this.profile?.resumption ? this.endpoint.events : undefined;
  }

  get isResumable(): boolean {
    return this.streamEvents !== undefined;
  }

  get isPolling(): boolean {
    return this.isResumable && !!this.profile?.polling;
  }

  get isInitialized(): boolean | undefined {
    return this.connection.session?.initialized;
  }

  /** Begins the ids of the requests that are sent: their responses reach any node. */
  get requestIdPrefix(): string | undefined {
    return this.#shared?.idPrefix;
  }

  /** Whether the changes of lists and resources reach the client by way of the backplane. */
  get sharesChanges(): boolean {
    return this.#shared !== undefined;
  }

  get idleMs(): number {
    return this.endpoint.sessions.idleMs;
  }

  get isBusy(): boolean {
    return this.#replyStreams.size > 0 || (this.#shared ? this.#shared.isListening : this.isReachable);
  }

  get isReachable(): boolean {
    return this.#shared ? this.#shared.isReachable : this.#listeners.length > 0;
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
    if (ids.length === 0) return this.#accept(message, extra, request, responder);
    if (!this.isSingleRequest && !this.endpoint.limits.suspended.makeMemory(this.client, bytes)) throw busyRejection();
    const stream = this.#newStream(responder, headers);
    // The first response contains the session id.
    if (this.#count === 1 && !this.isSingleRequest && !this.#isKnown)
      stream.headers = { ...headers, [SESSION_ID]: this.sessionId };
    stream.received = message;
    stream.requests = ids;
    stream.pendingRequests = ids.length;
    stream.heldBytes = bytes;
    this.#memory.add(bytes);
    if (this.#count > 1) this.#use();
    for (const id of ids) this.#replyStreams.set(id, stream);
    this.#receive(message, extra)?.catch((error: unknown) => this.report(error));
    if (!stream.hasEnded) this.endpoint.streams.keepAlive(stream);
  }

  /** Opens a stream for messages that belong to no request, or resumes a disconnected stream. */
  get(request: HttpRequest, responder: Responder): void {
    responder.watchDisconnect();
    this.lastUsedAt = performance.now();
    this.#use();
    if (!this.#shared) return this.#openListener(request, responder);
    this.#shared.get(request, responder).catch((error: unknown) => this.endpoint.refuseLate(request, responder, error));
  }

  /** Ends the session at every node, for a client that asks for it. */
  delete(request: HttpRequest, responder: Responder): void {
    const accept = (): void => responder.respond(200, this.endpoint.originPolicy.headers(request));
    const ending = this.connection.close();
    if (this.#shared) ending.then(accept, (error: unknown) => this.endpoint.refuseLate(request, responder, error));
    else accept();
  }

  /** Called before a request of the session is handled. Returns a promise when it must wait until this node knows the session again. */
  prepare(): Promise<void> | undefined {
    // It must not expire meanwhile.
    this.lastUsedAt = performance.now();
    return this.#shared?.use()?.then((exists) => (exists ? undefined : this.release()));
  }

  stayOpen(now: number): void {
    this.lastUsedAt = now;
    this.#shared?.keep();
  }

  /** Takes over a session that another node has opened. Returns whether this node can serve it. */
  restore(record: SessionRecord): boolean {
    this.#isKnown = this.connection.restoreSession(record);
    this.#shared?.restore(record);
    if (this.connection.session) this.connection.session.sharing = this.#shared;
    return this.#isKnown;
  }

  send(message: JSONRPCMessage | readonly JSONRPCMessage[], options?: TransportSendOptions): Promise<void> | void {
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
    else if (isRequest(message) || message.method === NOTIFICATIONS_CANCELLED)
      return this.#sendUnrelated(message, text);
  }

  reserve(bytes: number): boolean {
    return this.#memory.reserve(bytes);
  }

  requestDropped(id: RequestId): void {
    const stream = this.#removeReplyStream(id);
    if (stream?.pendingRequests === 0) stream.end();
  }

  close(): Promise<void> {
    return this.#end(!this.endpoint.isDraining);
  }

  release(): Promise<void> {
    return this.#end(false);
  }

  handles(id: unknown): boolean {
    return this.#replyStreams.has(id as RequestId);
  }

  deliver(message: JSONRPCMessage): void {
    this.#deliverToConnection(message, {});
  }

  notifyChanged(change: Change): void {
    this.connection.notifyChanged(change);
  }

  detachStream(id: string): void {
    this.#streams.get(id)?.expire();
  }

  isStreaming(id: string): boolean {
    return this.#streams.has(id);
  }

  onChanged(record: SessionRecord): void {
    this.connection.session?.update(record);
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

  /** Called when nothing more will be sent on the stream. */
  onFinished(stream: SessionStream): void {
    this.#streams.delete(stream.id);
    this.endpoint.streams.release(stream);
    if (this.isSingleRequest) void this.close();
  }

  /** What the transport knows about a message. @param id the id of its first request */
  #extra(request: HttpRequest, id: RequestId | undefined): MessageExtra {
    const { principal } = request;
    if (!this.isPolling) return { principal, http: request };
    const closeSSE = (retryMs?: number): void => {
      const stream = id === undefined ? undefined : this.#replyStreams.get(id);
      stream?.closeForReconnect(retryMs, () => this.#shared?.closeStreams(stream.id, retryMs));
    };
    return { principal, http: withPolling(request, closeSSE, (ms) => this.#shared?.closeStreams(undefined, ms)) };
  }

  /** Handles messages that get no response. */
  #accept(message: unknown, extra: MessageExtra, request: HttpRequest, responder: Responder): void {
    const accept = (): void => responder.respond(202, this.endpoint.originPolicy.headers(request));
    const receiving = this.#receive(message, extra);
    if (receiving) receiving.then(accept, (error: unknown) => this.endpoint.refuseLate(request, responder, error));
    else accept();
    if (this.isSingleRequest) void this.close();
  }

  /** Handles a message or batch, unless it concerns another node. Returns a promise when the response must wait. */
  #receive(message: unknown, extra: MessageExtra): Promise<unknown> | undefined {
    const { options } = this.endpoint.server;
    // The connection rejects a whole batch that is too long.
    if (this.#shared && !(Array.isArray(message) && batchProblem(message, this.profile, options.limits?.batchLength)))
      return this.#shared.receive(message, (own) => this.#deliverToConnection(own, extra));
    this.#deliverToConnection(message, extra);
    return undefined;
  }

  #deliverToConnection(message: unknown, extra: MessageExtra): void {
    try {
      this.onmessage?.(message, extra);
    } catch (error) {
      this.report(error);
    }
  }

  #use(): void {
    if (!this.isUsed) this.endpoint.sessions.onUsed(this);
    this.isUsed = true;
  }

  #newStream(responder: Responder, headers: HttpHeaders): SessionStream {
    this.#count++;
    const id = this.#shared ? `${this.sessionId}.${this.#shared.idPrefix}${this.#count}` : "";
    const stream = new SessionStream(this, id, responder, headers);
    if (id) this.#streams.set(id, stream);
    return stream;
  }

  #openListener(request: HttpRequest, responder: Responder): void {
    if (!this.endpoint.streams.hasRoom(this.client)) throw new HttpRejection(503, "Too many streams");
    const stream = this.#newStream(responder, this.endpoint.originPolicy.headers(request));
    stream.open();
    stream.sendKeepAlive();
    this.#listeners.push(stream);
    this.endpoint.streams.addStanding(stream, request);
    for (const { message, text } of this.#outbox?.takeAll() ?? []) stream.send(message, text);
  }

  #sendUnrelated(message: JSONRPCMessage, text: string): Promise<void> | void {
    if (this.#shared) return this.#shared.send(text);
    const stream = this.#listeners.at(-1);
    if (stream) return stream.send(message, text);
    this.#outbox ??= new Outbox(this.endpoint.maxQueuedBytes);
    const overflow = this.#outbox.add(message, text);
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
    const respond = (): void => {
      stream.respond(message, text, this.endpoint.options.responseMode === "sse");
      if (hasFailed) void this.close();
    };
    const sharing = this.#share();
    if (!sharing) return respond();
    sharing.then(respond, (error: unknown) => {
      this.report(error);
      stream.terminate(unavailableRejection());
      void this.release();
    });
  }

  /** Makes a session that has just been opened known to other nodes. */
  #share(): Promise<void> | undefined {
    const { session } = this.connection;
    if (!this.#shared || !session || this.#isKnown) return undefined;
    this.#isKnown = true;
    session.sharing = this.#shared;
    return this.#shared.create(toRecord(session, this.owner));
  }

  /** Called when a request has ended. Returns the stream of its response. */
  #removeReplyStream(id: RequestId): SessionStream | undefined {
    const stream = this.#replyStreams.get(id);
    this.#replyStreams.delete(id);
    if (stream && --stream.pendingRequests === 0 && this.#open) this.#memory.add(-stream.heldBytes);
    return stream;
  }

  /** @param everywhere whether it ends at other nodes, too */
  #end(everywhere: boolean): Promise<void> {
    if (!this.#open) return Promise.resolve();
    this.#open = false;
    this.endpoint.sessions.delete(this);
    if (this.isSingleRequest) this.endpoint.limits.requests.add(this.client, -1);
    // Without other nodes, the session ends with this one.
    const rejection = this.#shared ? releasedRejection(this.endpoint) : sessionEndedRejection();
    const streams = [...this.#replyStreams.values(), ...this.#streams.values(), ...this.#listeners];
    for (const stream of streams) stream.terminate(rejection);
    this.#outbox = undefined;
    this.#memory.release();
    const endsElsewhere = everywhere && this.#isKnown;
    this.isReleased = this.#shared !== undefined && !endsElsewhere;
    const ending = endsElsewhere ? this.#shared?.end() : this.#shared?.release();
    this.onclose?.();
    return ending ?? Promise.resolve();
  }
}
