import { event } from "../http/sse.js";
import { serialize } from "../jsonrpc/serialize.js";
import type { EventId, EventMessage, EventStore, StreamId } from "./event-store.js";
import type { BodyWriter, DisconnectListener } from "./host-adapter.js";

/** Sends the stored events of a stream to a client that resumes it, and notices when that client disconnects. */
export class StreamReplay implements DisconnectListener {
  /** The ids of the events that were sent. */
  readonly sentIds = new Set<EventId>();
  isDisconnected = false;
  #onDisconnect: (() => void) | undefined;
  /** Whether the store should wait for the client. */
  #isDraining = false;

  /** @param maxQueuedBytes beyond it, the client has to take events before the next one is sent */
  constructor(readonly maxQueuedBytes: number) {}

  onDisconnect(): void {
    this.isDisconnected = true;
    this.#onDisconnect?.();
  }

  /**
   * Sends the events after `lastEventId`.
   * @param onDisconnect called when the client disconnects after this call
   * @param onOverflow called when the store does not wait for a slow client; the rest is not sent
   */
  start(
    store: EventStore,
    lastEventId: EventId,
    writer: BodyWriter,
    onDisconnect: () => void,
    onOverflow: () => void,
  ): StreamId | Promise<StreamId> {
    this.#onDisconnect = onDisconnect;
    let hasOverflowed = false;
    const send = (id: EventId, message: EventMessage): void | Promise<void> => {
      if (hasOverflowed || this.isDisconnected) return;
      if (this.#isDraining) {
        hasOverflowed = true;
        return onOverflow();
      }
      this.sentIds.add(id);
      writer.write(event(serialize(message), id));
      if (writer.queuedBytes > this.maxQueuedBytes) return this.#drain(writer);
    };
    return store.replayEventsAfter(lastEventId, { send });
  }

  async #drain(writer: BodyWriter): Promise<void> {
    this.#isDraining = true;
    await writer.drained();
    this.#isDraining = false;
  }
}
