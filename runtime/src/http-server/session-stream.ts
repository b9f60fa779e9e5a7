import { SESSION_ID } from "../http/headers.js";
import { event, KEEP_ALIVE, primingEvent, retryField } from "../http/sse.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import type { EventMessage } from "./event-store.js";
import type { BodyWriter, HttpHeaders, DisconnectListener, Responder } from "./host-adapter.js";
import { HttpRejection, sendRejection } from "./rejection.js";
import { withJsonHeaders, withSseHeaders } from "./response-headers.js";
import type { StreamOwner } from "./stream-owner.js";

type HeldEvents = [id: string, text: string][];

/** What the event that only gives an id is stored as. */
const noMessage = {} as JSONRPCMessage;

/**
 * A stream of a session: the answer to a POST, or one opened by GET. With an event store, it outlives the connections that
 * carry it.
 */
export class SessionStream implements DisconnectListener {
  /** How many requests of the POST are not answered yet. */
  pendingRequests = 0;
  /** Nothing will be sent any more. */
  hasEnded = false;
  /** Settles when what was sent so far is stored; undefined: it is. The next event waits for it. */
  storing: Promise<void> | undefined;
  lastSentAt = 0;
  setIndex: number | undefined;
  #responder: Responder | undefined;
  #writer: BodyWriter | undefined;
  /** The client can come back for what it misses: it was given an event id. */
  #resumable = false;
  /** Events that were stored while a client that came back is shown the earlier ones. */
  #heldEvents: HeldEvents | undefined;

  constructor(
    readonly session: StreamOwner<SessionStream>,
    /** Empty: nobody can come back to it. */
    readonly id: string,
    responder?: Responder,
    /** Headers of the answer, besides the usual ones. */
    public headers: HttpHeaders = {},
  ) {
    this.#responder = responder;
    if (responder) responder.disconnectListener = this;
  }

  /** A client is there to read it. */
  get isOpen(): boolean {
    return this.#writer !== undefined;
  }

  /** What is sent now arrives, if only when the client comes back. */
  get canDeliver(): boolean {
    return this.#responder !== undefined || this.isOpen || this.#resumable;
  }

  /** The answer is to name no session: none has come to be. */
  removeSessionHeader(): void {
    const { [SESSION_ID]: _, ...others } = this.headers;
    this.headers = others;
  }

  /** Makes the answer a stream, if it is none yet. */
  open(): void {
    const responder = this.#responder;
    if (!responder) return;
    this.#responder = undefined;
    this.#writer = responder.startStream(200, withSseHeaders(this.headers));
    if (this.session.streamStore && this.session.profile?.polling) this.#emit(noMessage, "{}");
  }

  send(message: JSONRPCMessage): void {
    this.open();
    this.#emit(message, serialize(message));
  }

  /** Sends what answers requests of the POST; with the last one the stream ends. */
  respond(message: EventMessage, asStream: boolean): void {
    const isLast = this.pendingRequests === 0;
    const text = serialize(message);
    const responder = this.#responder;
    if (responder && isLast && !(asStream && this.session.streamStore)) {
      this.#responder = undefined;
      if (asStream) responder.respond(200, withSseHeaders(this.headers), event(text));
      else responder.respond(200, withJsonHeaders(this.headers), text);
      return this.#finish();
    }
    this.open();
    this.#emit(message, text);
    if (isLast) this.end();
  }

  /** Ends the stream once everything is sent. */
  end(): void {
    if (this.storing) return void this.storing.then(() => this.end());
    const responder = this.#responder;
    this.#responder = undefined;
    // None of the requests gets an answer: all were cancelled. 202 is for what is no request.
    responder?.respond(200, withSseHeaders(this.headers), "");
    this.#finish();
    if (!this.#heldEvents) this.#detach()?.end();
  }

  /** Has the client come back later; meanwhile the events are kept. */
  closeForReconnect(retryMs = this.session.endpoint.options.retryInterval): void {
    this.open();
    const close = (): void => {
      if (!this.#resumable) return;
      if (retryMs !== undefined) this.#writer?.write(retryField(retryMs));
      this.#detach()?.end();
      this.#finishUnlessResumable();
    };
    if (this.storing) void this.storing.then(close);
    else close();
  }

  /** Ends the stream, though requests may have no answer: the session is over. */
  terminate(): void {
    const responder = this.#responder;
    this.#responder = undefined;
    if (responder) sendRejection(responder, new HttpRejection(404, "The session has ended"), this.headers);
    if (this.storing) void this.storing.then(() => this.#detach()?.end());
    else this.#detach()?.end();
    this.#finish();
  }

  /**
   * Stops sending, while the earlier events of a client that came back are looked up.
   * @returns what is stored meanwhile
   */
  beginReplay(): HeldEvents {
    this.#detach()?.end();
    return (this.#heldEvents = []);
  }

  /**
   * Goes on for a client that came back and has been shown `replayed`.
   * @returns whether there is more to come
   */
  endReplay(writer: BodyWriter, replayed: ReadonlySet<string>, heldEvents: HeldEvents): boolean {
    // The client has come back a second time, and goes on there.
    if (this.#heldEvents !== heldEvents) {
      writer.end();
      return false;
    }
    for (const [id, text] of heldEvents) if (!replayed.has(id)) writer.write(event(text, id));
    this.#heldEvents = undefined;
    this.#resumable = true;
    if (this.hasEnded) writer.end();
    else this.#writer = writer;
    return !this.hasEnded;
  }

  onWriterLost(writer: BodyWriter): void {
    if (this.#writer === writer) this.onDisconnect();
  }

  sendKeepAlive(): void {
    if (!this.isOpen && this.session.endpoint.options.responseMode === "json") return;
    this.open();
    this.#write(KEEP_ALIVE);
  }

  #emit(message: EventMessage, text: string): void {
    const store = this.session.streamStore;
    if (!store) return this.#write(event(text));
    if (!this.#writer && !this.#resumable && !this.#heldEvents) return;
    const put = (id: string): void => {
      this.#resumable = true;
      if (this.#heldEvents) this.#heldEvents.push([id, text]);
      else
        this.#write(
          message === noMessage ? primingEvent(id, this.session.endpoint.options.retryInterval) : event(text, id),
        );
    };
    const keep = (): void | Promise<void> => {
      const id = store.storeEvent(this.id, message, text);
      return isPromiseLike(id) ? id.then(put) : put(id);
    };
    try {
      const storing = this.storing ? this.storing.then(keep) : keep();
      if (!storing) return;
      const settled = storing
        .catch((error: unknown) => this.#failed(error))
        .then(() => {
          if (this.storing === settled) this.storing = undefined;
        });
      this.storing = settled;
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.session.report(error);
    this.#detach()?.abort();
    this.#resumable = false;
  }

  #write(text: string): void {
    const writer = this.#writer;
    if (!writer) return;
    writer.write(text);
    this.lastSentAt = performance.now();
    if (writer.queuedBytes <= this.session.endpoint.maxQueuedBytes) return;
    writer.abort();
    this.onDisconnect();
  }

  #detach(): BodyWriter | undefined {
    const writer = this.#writer;
    this.#writer = undefined;
    if (writer) this.session.onDetached(this);
    return writer;
  }

  /** The connection is gone. Requests go on; what they still have to say waits in the event store, if there is one. */
  onDisconnect(): void {
    this.#responder = undefined;
    this.#writer = undefined;
    this.session.onDetached(this);
    this.#finishUnlessResumable();
  }

  /** What belongs to no request waits in the session, and what is too much for it here, if a client may come back. */
  #finishUnlessResumable(): void {
    if (this.pendingRequests === 0 && !(this.#resumable && this.session.keepForResume(this))) this.#finish();
  }

  #finish(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.session.onFinished(this);
  }
}
