import type { JSONRPCMessage } from "../jsonrpc/message-types.js";

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
  /**
   * Sends the later events of the same stream in order, and returns the stream. When `send` returns a promise, the client
   * reads slowly: wait for the promise before the next event. The stream of a store that does not wait is cut when
   * `maxQueuedBytes` are queued.
   */
  replayEventsAfter(
    lastEventId: EventId,
    to: { readonly send: (eventId: EventId, message: EventMessage) => void | Promise<void> },
  ): StreamId | Promise<StreamId>;
}
