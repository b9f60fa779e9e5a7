import type { RequestId } from "@mcpwright/protocol/contract";
import { isChange } from "../connection/change.js";
import { SESSION_ID } from "../http/headers.js";
import { event, KEEP_ALIVE, primingEvent, retryField } from "../http/sse.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { refusalIn } from "../jsonrpc/refusal.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import type { BodyWriter, HttpHeaders, DisconnectListener, Responder } from "./host-adapter.js";
import { PendingChanges } from "./pending-changes.js";
import { type HttpRejection, refusalHeaders, sendRejection } from "./rejection.js";
import { withJsonHeaders, withSseHeaders } from "./response-headers.js";
import type { ClientKey } from "./shared-limit.js";
import type { StreamOwner } from "./stream-owner.js";

/** The content of an event. The first event of a stream contains an empty object: it only gives the client an id. */
type EventMessage = JSONRPCMessage | readonly JSONRPCMessage[];

/** The stored message of the first event, which only gives the client an id. */
const noMessage = {} as JSONRPCMessage;

/**
 * A stream of a session: the response to a POST, or a stream opened by GET. If clients can resume it, it
 * outlives its HTTP connection.
 */
export class SessionStream implements DisconnectListener {
  /** The message or batch of the POST. */
  received: unknown;
  /** The ids of its requests. */
  requests: readonly RequestId[] = [];
  /** The number of unanswered requests of the POST. */
  pendingRequests = 0;
  /** The estimated memory of the POST, which the session holds until all its requests have ended. */
  heldBytes = 0;
  /** Whether nothing more will be sent. */
  hasEnded = false;
  /** Settles when all events so far are stored; undefined when they are. The next event waits for it. */
  storing: Promise<void> | undefined;
  lastSentAt = 0;
  setIndex: number | undefined;
  #responder: Responder | undefined;
  #writer: BodyWriter | undefined;
  #pendingChanges: PendingChanges | undefined;
  /** Whether the client can resume the stream, because it has received an event id. */
  #resumable = false;
  /** Whether an event that clients would need could not be stored. */
  #isBroken = false;

  constructor(
    readonly session: StreamOwner<SessionStream>,
    /** Empty when the stream cannot be resumed. */
    readonly id: string,
    responder?: Responder,
    /** Additional headers of the response. */
    public headers: HttpHeaders = {},
  ) {
    this.#responder = responder;
    if (responder) responder.disconnectListener = this;
  }

  get client(): ClientKey {
    return this.session.client;
  }

  /** Whether a client reads the stream. */
  get isOpen(): boolean {
    return this.#writer !== undefined;
  }

  /** Whether a message sent now is delivered, at the latest when the client reconnects. */
  get canDeliver(): boolean {
    return this.#responder !== undefined || this.isOpen || this.#resumable;
  }

  /** Bytes that wait for the client. */
  get queuedBytes(): number {
    return this.#writer?.queuedBytes ?? 0;
  }

  /** Removes the session id from the response headers, because no session was opened. */
  removeSessionHeader(): void {
    const { [SESSION_ID]: _, ...others } = this.headers;
    this.headers = others;
  }

  /** Starts the response as a stream, if it has not started yet. */
  open(): void {
    const responder = this.#responder;
    if (!responder) return;
    this.#responder = undefined;
    this.#writer = responder.startStream(200, withSseHeaders(this.headers));
    if (this.session.streamEvents && this.session.profile?.polling) this.#emit(noMessage, "{}");
  }

  /** @param text the message as JSON text */
  send(message: JSONRPCMessage, text: string): void {
    this.open();
    this.#emit(message, text);
  }

  /** Sends the response to one or more requests of the POST. The stream ends with the last one. */
  respond(message: EventMessage, text: string, asStream: boolean): void {
    const isLast = this.pendingRequests === 0;
    const responder = this.#responder;
    const refusal = refusalIn(message);
    if (responder && isLast && (refusal || !(asStream && this.session.streamEvents))) {
      this.#responder = undefined;
      if (refusal)
        responder.respond(refusal.status, withJsonHeaders({ ...this.headers, ...refusalHeaders(refusal) }), text);
      else if (asStream) responder.respond(200, withSseHeaders(this.headers), event(text));
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
    // All requests were cancelled, so no response is sent. 202 would be wrong: it is for notifications and responses.
    responder?.respond(200, withSseHeaders(this.headers), "");
    this.#finish();
    this.#detach()?.end();
  }

  /**
   * Closes the connection so that the client reconnects later; events are stored meanwhile.
   * @param closeOthers closes the connections on which the client continues the stream
   */
  closeForReconnect(retryMs = this.session.endpoint.options.retryInterval, closeOthers?: () => void): void {
    this.open();
    const close = (): void => {
      if (!this.#resumable) return;
      if (retryMs !== undefined) this.#writer?.write(retryField(retryMs));
      if (!this.#writer) return closeOthers?.();
      this.expire();
    };
    if (this.storing) void this.storing.then(close);
    else close();
  }

  /** Ends the connection; the client may reconnect. */
  expire(): void {
    if (this.storing) return void this.storing.then(() => this.expire());
    this.#detach()?.end();
    this.#finishUnlessPending();
  }

  /** Ends the stream, even if requests have no response. @param rejection the response, if the stream has not started */
  terminate(rejection: HttpRejection): void {
    const responder = this.#responder;
    this.#responder = undefined;
    if (responder) sendRejection(responder, rejection, this.headers, this.received);
    if (this.storing) void this.storing.then(() => this.#detach()?.end());
    else this.#detach()?.end();
    this.#finish();
  }

  /**
   * A disconnect is not a cancellation in the handshake era, so that nothing has to be done at once: the request runs, and
   * counts towards the limits, until its handler is done.
   */
  watchDisconnect(): void {
    // An open stream is watched anyway.
  }

  sendKeepAlive(): void {
    if (!this.isOpen && this.session.endpoint.options.responseMode === "json") return;
    this.open();
    this.#write(KEEP_ALIVE);
  }

  #emit(message: EventMessage, text: string): void {
    const events = this.session.streamEvents;
    if (!events) return this.#write(event(text), !Array.isArray(message) && isChange(message as JSONRPCMessage));
    if (!this.#writer && !this.#resumable) return;
    const put = (id: string): void => {
      this.#resumable = true;
      this.#write(
        message === noMessage ? primingEvent(id, this.session.endpoint.options.retryInterval) : event(text, id),
      );
    };
    const keep = (): void | Promise<void> => {
      // One before it could not be stored: nothing must follow.
      if (!this.canDeliver) return;
      const id = events.store(this.id, text, this.requests);
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
    this.#isBroken ||= this.#resumable;
    this.#resumable = false;
    this.#markEnd();
  }

  #write(text: string, isChange = false): void {
    const writer = this.#writer;
    if (!writer) return;
    if (writer.queuedBytes > this.session.endpoint.maxQueuedBytes) {
      writer.abort();
      return this.onDisconnect();
    }
    this.#pendingChanges = PendingChanges.write(writer, text, isChange, this.#pendingChanges);
    this.lastSentAt = performance.now();
  }

  #detach(): BodyWriter | undefined {
    const writer = this.#writer;
    this.#writer = undefined;
    if (writer) this.session.onDetached(this);
    return writer;
  }

  /** Called when the client disconnects. Requests continue; their messages are kept if clients can resume streams. */
  onDisconnect(): void {
    this.#responder = undefined;
    this.#writer = undefined;
    this.session.onDetached(this);
    this.#finishUnlessPending();
  }

  /** Ends the stream unless requests are pending. */
  #finishUnlessPending(): void {
    if (this.pendingRequests === 0) this.#finish();
  }

  #finish(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (this.storing) void this.storing.then(() => this.#markEnd());
    else this.#markEnd();
    this.session.onFinished(this);
  }

  /** Marks the stored stream as complete, for clients that resume it. */
  #markEnd(): void {
    if (!this.#resumable && !this.#isBroken) return;
    try {
      const marking = this.session.streamEvents?.end(this.id, this.#isBroken ? this.requests : undefined);
      this.#isBroken = false;
      if (isPromiseLike(marking)) marking.then(undefined, (error: unknown) => this.session.report(error));
    } catch (error) {
      this.session.report(error);
    }
  }
}
