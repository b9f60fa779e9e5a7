import type { Channels, LogStore, ValueStore } from "./backplane-store.js";
import type { ChangeLog } from "./change-log.js";
import type { NodeLiveness } from "./node-liveness.js";
import type { SessionRecords } from "./session-records.js";

/** A message about a session to all nodes. */
export interface SessionEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** This node, as the sessions at it see it. Methods that return a promise reject with a `BackplaneError`. */
export interface SessionNode<Session> {
  readonly id: string;
  readonly serverName: string;
  readonly store: ValueStore & LogStore & Channels;
  readonly records: SessionRecords;
  readonly changes: ChangeLog;
  readonly liveness: NodeLiveness;
  /** Sends an event to all nodes. */
  publish(sessionId: string, event: SessionEvent): Promise<void>;
  /** Passes a message of the client on to the node that sent what it belongs to. */
  pass(node: string, sessionId: string, message: object): Promise<void>;
  /** Ends a session at all nodes, unless this node is shutting down. */
  end(sessionId: string): Promise<void>;
  /** Called when a session is no longer at this node. */
  detach(session: Session): void;
}
