import { SdkError } from "../jsonrpc/errors.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { deadlineTimer } from "../timing/deadline-timer.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import type { EventId, EventMessage, EventStore, StreamId } from "./event-store.js";
import { StoredStream } from "./stored-stream.js";

export interface InMemoryEventStoreOptions {
  /**
   * Maximum number of characters of all events, each counted with 200 more for its keeping. Beyond it, the oldest events of
   * the streams that have most are evicted. Default: `2 ** 26`.
   */
  readonly maxSize?: number;
  /** Milliseconds that the events of a stream are kept after its last one. Default: `300_000`. */
  readonly ttlMs?: number;
}

type Send = (eventId: EventId, message: EventMessage) => void | Promise<void>;

/** An event store in the memory of this process. */
export class InMemoryEventStore implements EventStore {
  /** The least recently written first. */
  readonly #streams = new Map<StreamId, StoredStream>();
  /** The streams by the binary length of their size: finding the largest exactly would take as long as there are streams. */
  readonly #bySize: Set<StoredStream>[] = Array.from({ length: 33 }, () => new Set());
  readonly #maxSize: number;
  readonly #ttlMs: number;
  #size = 0;
  /** The number of the first event of a new stream: no dropped stream, which may be written again, has used it. */
  #firstNumber = 0;

  constructor(options: InMemoryEventStoreOptions = {}) {
    assertNumberOptions(options);
    const { maxSize = 2 ** 26, ttlMs = 300_000 } = options;
    this.#maxSize = maxSize;
    this.#ttlMs = ttlMs;
  }

  storeEvent(streamId: StreamId, _message: EventMessage, text: string): EventId {
    const stream = this.#streams.get(streamId) ?? new StoredStream(streamId, this.#firstNumber);
    this.#streams.delete(streamId);
    this.#streams.set(streamId, stream);
    let number = 0;
    this.#resize(stream, () => (number = stream.add(text)));
    stream.due = performance.now() + this.#ttlMs;
    if (this.#streams.size === 1) deadlineTimer.schedule(this, stream.due);
    while (this.#size > this.#maxSize) this.#evict(stream);
    return `${streamId}_${number}`;
  }

  getStreamIdForEventId(eventId: EventId): StreamId | undefined {
    const [streamId, number] = parse(eventId);
    const stream = this.#streams.get(streamId);
    // All events after the last evicted one are stored.
    return stream && number >= stream.first - 1 && number < stream.next ? streamId : undefined;
  }

  /** @throws SdkError `LIMIT_EXCEEDED` when events are evicted faster than the client reads them */
  replayEventsAfter(
    lastEventId: EventId,
    { send }: { readonly send: (eventId: EventId, message: EventMessage) => void | Promise<void> },
  ): StreamId | Promise<StreamId> {
    const [streamId, number] = parse(lastEventId);
    const stream = this.#streams.get(streamId);
    const waiting = stream && replay(stream, number + 1, send);
    return waiting ? waiting.then(() => streamId) : streamId;
  }

  /** @internal */
  expireDue(now: number): number {
    for (const stream of this.#streams.values()) {
      if (stream.due > now) return stream.due;
      this.#drop(stream);
    }
    return Infinity;
  }

  /** Evicts the oldest event of a stream that has at least half of the most. @param current is kept even without events */
  #evict(current: StoredStream): void {
    const [largest] = this.#bySize.findLast(({ size }) => size > 0) ?? [];
    if (!largest) return;
    this.#resize(largest, () => largest.evict());
    if (largest.size === 0 && largest !== current) this.#drop(largest);
  }

  #resize(stream: StoredStream, change: () => void): void {
    const before = stream.size;
    change();
    this.#size += stream.size - before;
    const from = this.#bySize[binaryLength(before)];
    const to = this.#bySize[binaryLength(stream.size)];
    if (from !== to) from?.delete(stream);
    to?.add(stream);
  }

  #drop(stream: StoredStream): void {
    this.#size -= stream.size;
    this.#bySize[binaryLength(stream.size)]?.delete(stream);
    this.#streams.delete(stream.id);
    this.#firstNumber = Math.max(this.#firstNumber, stream.next + 1);
  }
}

/** Sends the events from a number on. Returns a promise if the client reads slowly. */
function replay(stream: StoredStream, from: number, send: Send): Promise<void> | undefined {
  for (let number = from; number < stream.next; number++) {
    const text = stream.text(number);
    if (text === undefined)
      throw new SdkError("LIMIT_EXCEEDED", "events were evicted while they were sent to a slow client");
    const waiting = send(`${stream.id}_${number}`, JSON.parse(text) as EventMessage);
    if (isPromiseLike(waiting)) return waiting.then(() => replay(stream, number + 1, send));
  }
  return undefined;
}

function binaryLength(size: number): number {
  return size >= 2 ** 31 ? 32 : 32 - Math.clz32(size);
}

function parse(eventId: EventId): [StreamId, number] {
  const at = eventId.lastIndexOf("_");
  const number = eventId.slice(at + 1);
  return /^\d{1,15}$/.test(number) ? [eventId.slice(0, at), Number(number)] : ["", NaN];
}
