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

  onDisconnect(): void {
    this.isDisconnected = true;
    this.#onDisconnect?.();
  }

  /**
   * Sends the events after `lastEventId`.
   * @param onDisconnect called when the client disconnects after this call
   */
  start(
    store: EventStore,
    lastEventId: EventId,
    writer: BodyWriter,
    onDisconnect: () => void,
  ): StreamId | Promise<StreamId> {
    this.#onDisconnect = onDisconnect;
    const send = (id: EventId, message: EventMessage): void => {
      this.sentIds.add(id);
      writer.write(event(serialize(message), id));
    };
    return store.replayEventsAfter(lastEventId, { send });
  }
}
