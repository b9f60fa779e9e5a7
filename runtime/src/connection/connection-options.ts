import type { Connection, FindIssues } from "@mcpwright/protocol/contract";
import type { KeepAliveOptions } from "./keep-alive.js";
import type { Limits } from "./limits.js";
import type { Telemetry } from "./telemetry.js";

export interface ConnectionOptions {
  readonly limits?: Partial<Limits>;
  /** Milliseconds that a sent request waits for its response, unless its own options set another value. Default: `60_000`. */
  readonly timeoutMs?: number;
  /** Milliseconds after which a sent request ends in spite of progress. Default: `600_000`. */
  readonly maxTotalMs?: number;
  /** Pings the peer regularly, in revisions that have ping. Default: no pings. */
  readonly keepAlive?: KeepAliveOptions;
  /**
   * Finds the members of invalid params and results that do not match the schema: `findServerIssues` of
   * `@mcpwright/protocol/server-issues`, or `findClientIssues` of `@mcpwright/protocol/client-issues`. Error messages name these
   * members, and `data.issues` of the error lists them. Called only with rejected values. Default: that function in `/server`
   * and `/client`; in the `/core` entries errors do not name members.
   */
  readonly findIssues?: FindIssues;
  /** Called with every parsed message before it is handled or sent. Must not change the message. */
  readonly trace?: Trace;
  /**
   * Observes messages and sessions, and passes the context of traces on in `_meta`: `openTelemetry()` of `@mcpwright/runtime/otel`.
   * Default: none.
   */
  readonly telemetry?: Telemetry | undefined;
  /**
   * Called with every error that no call reports: malformed messages, failures of handlers and hooks. Default: only errors
   * that handlers and hooks throw are printed with `console.error`, because peers receive just `Internal error`.
   */
  readonly onerror?: (error: Error) => void;
}

export type Trace = (direction: "in" | "out", message: unknown, connection: Connection) => void;
