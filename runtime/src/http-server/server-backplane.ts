import type { Change } from "../connection/change.js";
import type { ResumptionOptions } from "./resumption-options.js";

/** A value, or a promise of it. */
type MaybePromise<Value> = Value | Promise<Value>;

/** The part of a backplane that servers use: the class `Backplane` of `@mcpwright/runtime/backplane` implements it. */
export interface ServerBackplane {
  /** Keeps the messages of streams. @internal */
  streamEvents(options: ResumptionOptions): StreamEvents;
  /** Shares the changes of a server with the servers of the same name at other nodes. @internal */
  shareChanges(server: ChangingServer): SharedChanges;
  /** Marks an id as used, for all nodes. Returns false when it was used before. @internal */
  useOnce(id: string, ttlMs: number): MaybePromise<boolean>;
}

/** A server whose changes are shared. */
export interface ChangingServer {
  readonly name: string;
  /** Notifies the clients of this node of a change at another one. */
  readonly deliver: (change: Change) => void;
  readonly onerror: (error: unknown) => void;
}

/** The changes of a server. */
export interface SharedChanges {
  /** Publishes a change of this node. A failure is reported. */
  publish(change: Change): void;
  /** Ends the delivery of changes of other nodes. */
  end(): void;
}

/**
 * Keeps the messages that were sent on streams, for clients that reconnect (MCP 2025-03-26 to 2025-11-25, transports: resumability). An
 * error that it throws is reported and ends the stream.
 */
export interface StreamEvents {
  /** Stores an event. Returns its id. @param text the message as JSON text */
  store(streamId: string, text: string): MaybePromise<string>;
  /** Returns the stream of an event; undefined when an event after it is missing, or there is no such event. */
  findStream(eventId: string): Promise<string | undefined>;
  /**
   * Sends the later events of the same stream in order.
   * @param send returns a promise when the client reads slowly; the next event waits for it
   * @throws SdkError `LIMIT_EXCEEDED` when events are dropped faster than the client reads them
   */
  replay(eventId: string, send: (id: string, text: string) => void | Promise<void>): Promise<void>;
}
