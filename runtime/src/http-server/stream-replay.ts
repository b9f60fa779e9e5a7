import { event } from "../http/sse.js";
import type { BodyWriter, DisconnectListener } from "./host-adapter.js";
import type { StreamEvents } from "./server-backplane.js";

/** Sends the stored events of a stream to a client that resumes it, and notices when that client disconnects. */
export class StreamReplay implements DisconnectListener {
  /** The ids of the events that were sent. */
  readonly sentIds = new Set<string>();
  isDisconnected = false;
  #onDisconnect: (() => void) | undefined;

  /** @param maxQueuedBytes beyond it, the client has to take events before the next one is sent */
  constructor(readonly maxQueuedBytes: number) {}

  onDisconnect(): void {
    this.isDisconnected = true;
    this.#onDisconnect?.();
  }

  /**
   * Sends the events after `lastEventId`.
   * @param onDisconnect called when the client disconnects after this call
   */
  send(events: StreamEvents, lastEventId: string, writer: BodyWriter, onDisconnect: () => void): Promise<void> {
    this.#onDisconnect = onDisconnect;
    return events.replay(lastEventId, (id, text) => {
      if (this.isDisconnected) return;
      this.sentIds.add(id);
      writer.write(event(text, id));
      if (writer.queuedBytes > this.maxQueuedBytes) return writer.drained();
    });
  }
}
