import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { deadlineTimer } from "../timing/deadline-timer.js";

export type StreamId = string;
export type EventId = string;
/** The content of an event. The first event of a stream contains an empty object: it only gives the client an id. */
export type EventMessage = JSONRPCMessage | readonly JSONRPCMessage[];

/**
 * Stores the messages sent on streams, for clients that reconnect (MCP 2025-03-26 to 2025-11-25, transports: resumability).
 * An error that it throws is reported and ends the stream.
 */
export interface EventStore {
  /**
   * Stores an event.
   * @param text the message as JSON text
   * @returns the id of the event: unique in the store, visible ASCII
   */
  storeEvent(streamId: StreamId, message: EventMessage, text: string): EventId | Promise<EventId>;
  /** Returns the stream of an event; undefined when the store does not contain the event. */
  getStreamIdForEventId(eventId: EventId): StreamId | undefined | Promise<StreamId | undefined>;
  /** Sends the later events of the same stream in order, and returns the stream. */
  replayEventsAfter(
    lastEventId: EventId,
    to: { readonly send: (eventId: EventId, message: EventMessage) => void | Promise<void> },
  ): StreamId | Promise<StreamId>;
}

export interface InMemoryEventStoreOptions {
  /** Maximum number of characters of all events; then the least recently written streams are evicted. Default: `2 ** 26`. */
  readonly maxSize?: number;
  /** Milliseconds that the events of a stream are kept after its last one. Default: `300_000`. */
  readonly ttlMs?: number;
}

interface Stream {
  /** The number of the first event. */
  first: number;
  readonly texts: string[];
  size: number;
  due: number;
}

/** An event store in the memory of this process. */
export class InMemoryEventStore implements EventStore {
  /** The least recently written first. */
  readonly #streams = new Map<StreamId, Stream>();
  readonly #maxSize: number;
  readonly #ttlMs: number;
  #size = 0;

  constructor(options: InMemoryEventStoreOptions = {}) {
    assertNumberOptions(options);
    const { maxSize = 2 ** 26, ttlMs = 300_000 } = options;
    this.#maxSize = maxSize;
    this.#ttlMs = ttlMs;
  }

  storeEvent(streamId: StreamId, _message: EventMessage, text: string): EventId {
    const stream = this.#streams.get(streamId) ?? { first: 0, texts: [], size: 0, due: 0 };
    this.#streams.delete(streamId);
    this.#streams.set(streamId, stream);
    stream.texts.push(text);
    stream.size += text.length;
    this.#size += text.length;
    stream.due = performance.now() + this.#ttlMs;
    if (this.#streams.size === 1) deadlineTimer.schedule(this, stream.due);
    while (this.#size > this.#maxSize) this.#evict(stream);
    return `${streamId}_${stream.first + stream.texts.length - 1}`;
  }

  getStreamIdForEventId(eventId: EventId): StreamId | undefined {
    const [streamId, number] = parse(eventId);
    const stream = this.#streams.get(streamId);
    // All events after the last evicted one are stored.
    return stream && number >= stream.first - 1 && number < stream.first + stream.texts.length ? streamId : undefined;
  }

  replayEventsAfter(
    lastEventId: EventId,
    { send }: { readonly send: (eventId: EventId, message: EventMessage) => void | Promise<void> },
  ): StreamId {
    const [streamId, number] = parse(lastEventId);
    const stream = this.#streams.get(streamId);
    if (stream)
      for (const [at, text] of stream.texts.entries())
        if (stream.first + at > number) void send(`${streamId}_${stream.first + at}`, JSON.parse(text) as EventMessage);
    return streamId;
  }

  /** @internal */
  expireDue(now: number): number {
    for (const [streamId, { due }] of this.#streams) {
      if (due > now) return due;
      this.#drop(streamId);
    }
    return Infinity;
  }

  #evict(current: Stream): void {
    const [oldest] = this.#streams.keys();
    if (oldest === undefined) return;
    if (this.#streams.get(oldest) !== current) return this.#drop(oldest);
    const text = current.texts.shift() ?? "";
    current.first++;
    current.size -= text.length;
    this.#size -= text.length;
  }

  #drop(streamId: StreamId): void {
    this.#size -= this.#streams.get(streamId)?.size ?? 0;
    this.#streams.delete(streamId);
  }
}

function parse(eventId: EventId): [StreamId, number] {
  const at = eventId.lastIndexOf("_");
  const number = eventId.slice(at + 1);
  return /^\d{1,15}$/.test(number) ? [eventId.slice(0, at), Number(number)] : ["", NaN];
}
