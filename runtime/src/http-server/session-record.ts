import type { Side } from "@mcpwright/protocol/contract";
import type { Implementation, LoggingLevel, ServerCapabilities } from "../authoring.js";
import type { Capabilities } from "../connection/capability.js";

/** What all nodes of a server know of a handshake-era session. */
export interface SessionRecord {
  /** The key of the principal that opened it. */
  readonly owner?: string | undefined;
  readonly revision: string;
  /** The capabilities that the client declared. */
  readonly capabilities: Capabilities;
  /** The client's own name and version. */
  readonly info?: Implementation | undefined;
  /** The capabilities in the result of `initialize`. */
  readonly advertisedCapabilities: ServerCapabilities;
  /** The minimum level of log messages to send. */
  readonly logLevel?: LoggingLevel | undefined;
  /** Whether the client has sent `notifications/initialized`. */
  readonly initialized: boolean;
  /** The URIs that the client subscribed to. */
  readonly subscriptions: readonly string[];
}

/** A session as its node knows it. */
export interface RecordedSession extends Omit<SessionRecord, "owner" | "revision" | "subscriptions"> {
  readonly side: Side;
  readonly subscriptions: ReadonlySet<string>;
}

/** Returns what another node needs to serve a session. */
export function toRecord(session: RecordedSession, owner: string | undefined): SessionRecord {
  const { side, capabilities, info, logLevel, advertisedCapabilities, initialized } = session;
  const subscriptions = [...session.subscriptions];
  return {
    owner,
    revision: side.revision,
    capabilities,
    info,
    logLevel,
    advertisedCapabilities,
    initialized,
    subscriptions,
  };
}

/** A change of a session by its client. */
export type SessionChange =
  | { readonly initialized: true }
  | { readonly logLevel: LoggingLevel }
  | { readonly subscribe: string }
  | { readonly unsubscribe: string };
