import type { EventStore } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** Keeps events under consecutive numbers. */
export class InMemoryEventStore implements EventStore {
  readonly #events: { readonly streamId: string; readonly message: JSONRPCMessage }[] = [];

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    return Promise.resolve(String(this.#events.push({ streamId, message })));
  }

  getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return Promise.resolve(this.#events[Number(eventId) - 1]?.streamId);
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const streamId = (await this.getStreamIdForEventId(lastEventId)) ?? "";
    for (const [index, event] of this.#events.entries())
      if (index >= Number(lastEventId) && event.streamId === streamId && "jsonrpc" in event.message)
        await send(String(index + 1), event.message);
    return streamId;
  }
}
