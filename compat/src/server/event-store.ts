import type { JSONRPCMessage } from "../types/index.js";

export type StreamId = string;
export type EventId = string;

/** Keeps the messages of streams, so that clients can read them after a disconnect. */
export interface EventStore {
  /** Keeps a message and returns its id, which is unique over all streams. */
  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId>;
  /** Returns the stream of an event. Without it, a client can resume a stream that another connection reads. */
  getStreamIdForEventId?(eventId: EventId): Promise<StreamId | undefined>;
  /** Sends the messages that follow an event in its stream, in their order, and returns the stream. */
  replayEventsAfter(
    lastEventId: EventId,
    { send }: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId>;
}
