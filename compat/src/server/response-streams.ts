import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "../types/index.js";
import type { EventId, EventStore, StreamId } from "./event-store.js";
import { HttpRefusal, refusal, sessionNotFound } from "./http-refusal.js";
import { SseWriter } from "./sse-writer.js";

/** The stream of messages that belong to no request. */
const STANDALONE = "_GET_stream";

/** The requests of one POST. */
interface Exchange {
  readonly streamId: StreamId;
  /** The requests in their order, each with its response as soon as there is one. */
  readonly responses: Map<RequestId, JSONRPCMessage | undefined>;
  /** Settles a response that is JSON. Absent for a stream. */
  readonly json: JsonResponse | undefined;
  /** Whether the client got an event that it can resume after. */
  isResumable: boolean;
}

interface JsonResponse {
  readonly resolve: (responses: unknown) => void;
  readonly reject: (error: HttpRefusal) => void;
}

export interface ResponseStreamsOptions {
  /** Keeps messages, so that clients can resume streams. */
  readonly eventStore: EventStore | undefined;
  /** Milliseconds between keep-alive comments; 0 for none. */
  readonly keepAliveMs: number | undefined;
  /** Milliseconds that clients wait before they reconnect. */
  readonly retryInterval: number | undefined;
  /** Whether a stream ends at once when a client resumes it after its last response. */
  readonly endsFinished: boolean;
  /** Called when a client has gone that cannot resume the stream of its responses. What it throws rejects `send`. */
  readonly onUndeliverable: (error: Error) => void;
}

/** Brings the messages of a server to the HTTP responses of one session. */
export class ResponseStreams {
  readonly #options: ResponseStreamsOptions;
  readonly #writers = new Map<StreamId, SseWriter>();
  readonly #exchanges = new Map<RequestId, Exchange>();
  #isClosed = false;

  constructor(options: ResponseStreamsOptions) {
    this.#options = options;
  }

  /**
   * Returns the responses to the requests of a POST: one, or a list in the order of the requests; undefined when all were cancelled.
   * @param deliver passes the requests to the server
   * @throws HttpRefusal (a rejection) when the session ends before
   */
  respondOnce(requests: readonly JSONRPCRequest[], deliver: () => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#expect(requests, { resolve, reject });
      deliver();
    });
  }

  /**
   * Opens the stream of the responses to the requests of a POST.
   * @param canResume whether the client accepts an event without a message, which it can resume after
   * @param deliver passes the requests to the server
   */
  async respondByStream(
    requests: readonly JSONRPCRequest[],
    canResume: boolean,
    deliver: () => void,
  ): Promise<SseWriter> {
    const exchange = this.#expect(requests, undefined);
    const { streamId } = exchange;
    const writer = this.#open(streamId);
    const { eventStore, retryInterval } = this.#options;
    try {
      if (eventStore && canResume) {
        writer.priming(await eventStore.storeEvent(streamId, {} as JSONRPCMessage), retryInterval);
        exchange.isResumable = true;
      }
      deliver();
    } catch (error) {
      writer.close();
      this.#forget(exchange);
      throw error;
    }
    return writer;
  }

  /**
   * Opens the stream of messages that belong to no request.
   * @throws HttpRefusal when it is open
   */
  openStandalone(): SseWriter {
    if (this.#writers.has(STANDALONE)) throw refusal(409, "Conflict: Only one SSE stream is allowed per session");
    return this.#open(STANDALONE);
  }

  /**
   * Continues a stream after an event.
   * @throws HttpRefusal (a rejection) when the event is unknown, or another connection reads the stream
   */
  async resume(eventStore: EventStore, lastEventId: EventId): Promise<SseWriter> {
    if (eventStore.getStreamIdForEventId) {
      const known = await eventStore.getStreamIdForEventId(lastEventId);
      if (!known) throw refusal(400, "Invalid event ID format");
      if (this.#writers.has(known)) throw refusal(409, "Conflict: Stream already has an active connection");
    }
    const writer = new SseWriter((ended) => this.#remove(ended), this.#options.keepAliveMs);
    let streamId: StreamId;
    try {
      streamId = await eventStore.replayEventsAfter(lastEventId, {
        send: (eventId, message) => {
          // The event without a message is not one.
          if ("jsonrpc" in message) writer.message(message, eventId);
          writer.replayed.add(eventId);
          return Promise.resolve();
        },
      });
    } catch (error) {
      writer.close();
      throw error;
    }
    if (this.#isClosed || !writer.isOpen) {
      writer.close();
      throw sessionNotFound();
    }
    this.#writers.get(streamId)?.close();
    this.#writers.set(streamId, writer);
    if (this.#options.endsFinished && this.#isFinished(streamId)) writer.close();
    return writer;
  }

  /** Sends a message on the stream of the request that it belongs to, or on the one for other messages. */
  async send(message: JSONRPCMessage, relatedRequestId: RequestId | undefined): Promise<void> {
    const isResponse = !("method" in message);
    const requestId = isResponse ? message.id : relatedRequestId;
    if (requestId === undefined) {
      if (isResponse)
        throw new Error("Cannot send a response on a standalone SSE stream unless resuming a previous client request");
      await this.#write(STANDALONE, message);
      return;
    }
    const exchange = this.#exchanges.get(requestId);
    if (!exchange) {
      if (this.#isClosed) return;
      throw noConnection(requestId);
    }
    if (!exchange.json && (await this.#write(exchange.streamId, message))) exchange.isResumable = true;
    if (isResponse) this.#settle(requestId, message, exchange);
  }

  /** Called when a request gets no response: the client has cancelled it. */
  drop(requestId: RequestId): void {
    const exchange = this.#exchanges.get(requestId);
    if (!exchange) return;
    this.#exchanges.delete(requestId);
    exchange.responses.delete(requestId);
    this.#endIfComplete(exchange);
  }

  /** Ends the stream of a request; the client reconnects for the remaining messages. */
  closeStreamOf(requestId: RequestId): void {
    const exchange = this.#exchanges.get(requestId);
    if (exchange) this.#writers.get(exchange.streamId)?.close();
  }

  /** Ends the stream of messages that belong to no request. */
  closeStandalone(): void {
    this.#writers.get(STANDALONE)?.close();
  }

  close(): void {
    this.#isClosed = true;
    for (const writer of [...this.#writers.values()]) writer.close();
    for (const { json } of this.#exchanges.values()) json?.reject(new HttpRefusal(503, -32000, "Connection closed"));
    this.#exchanges.clear();
  }

  #expect(requests: readonly JSONRPCRequest[], json: JsonResponse | undefined): Exchange {
    const responses = new Map<RequestId, undefined>(requests.map(({ id }) => [id, undefined]));
    const exchange: Exchange = { streamId: crypto.randomUUID(), responses, json, isResumable: false };
    for (const id of responses.keys()) this.#exchanges.set(id, exchange);
    return exchange;
  }

  #forget({ responses }: Exchange): void {
    for (const id of responses.keys()) this.#exchanges.delete(id);
  }

  #open(streamId: StreamId): SseWriter {
    const writer = new SseWriter((ended) => this.#remove(ended), this.#options.keepAliveMs);
    this.#writers.set(streamId, writer);
    return writer;
  }

  #remove(ended: SseWriter): void {
    for (const [streamId, writer] of this.#writers) if (writer === ended) this.#writers.delete(streamId);
  }

  /** Whether all responses of a stream were sent. The stream of messages that belong to no request has none. */
  #isFinished(streamId: StreamId): boolean {
    return streamId !== STANDALONE && ![...this.#exchanges.values()].some((one) => one.streamId === streamId);
  }

  /**
   * Stores a message, if there is a store, and writes it, if the client reads the stream.
   * Returns whether the client can resume after it.
   */
  async #write(streamId: StreamId, message: JSONRPCMessage): Promise<boolean> {
    const eventId = await this.#options.eventStore?.storeEvent(streamId, message);
    const writer = this.#writers.get(streamId);
    writer?.message(message, eventId);
    return writer !== undefined && eventId !== undefined;
  }

  #settle(requestId: RequestId, response: JSONRPCMessage, exchange: Exchange): void {
    const { streamId, responses, isResumable } = exchange;
    const isLost = !exchange.json && !isResumable && !this.#writers.has(streamId) && !this.#isClosed;
    responses.set(requestId, response);
    if (this.#endIfComplete(exchange) && isLost) this.#options.onUndeliverable(noConnection(requestId));
  }

  /** Ends the response to a POST when it has all messages. Returns whether it does. */
  #endIfComplete(exchange: Exchange): boolean {
    const { streamId, responses, json } = exchange;
    const all = [...responses.values()];
    if (all.includes(undefined)) return false;
    this.#forget(exchange);
    if (json) json.resolve(all.length < 2 ? all[0] : all);
    else this.#writers.get(streamId)?.close();
    return true;
  }
}

function noConnection(requestId: RequestId): Error {
  return new Error(`No connection established for request ID: ${requestId}`);
}
