import type { Connection } from "@mcpwright/protocol/contract";
import type { KeepAliveOptions } from "./keep-alive.js";
import type { Limits } from "./limits.js";

export interface ConnectionOptions {
  readonly limits?: Partial<Limits>;
  /** Milliseconds that a sent request waits for an answer, unless its options say otherwise. Default 60,000. */
  readonly timeoutMs?: number;
  /** Milliseconds after which a sent request ends in spite of progress. Default 600,000. */
  readonly maxTotalMs?: number;
  /** Pings the peer regularly, in revisions that have ping. Default: not. */
  readonly keepAlive?: KeepAliveOptions;
  /** Called with every message, parsed, before it is handled and before it is sent. Must not change it. */
  readonly trace?: Trace;
  /**
   * Told of everything that goes wrong and has nobody to tell: broken messages, failures of handlers and hooks. Default: what
   * handlers and hooks throw is printed by `console.error`, since peers get no more than `Internal error`; nothing else is.
   */
  readonly onerror?: (error: Error) => void;
}

export type Trace = (direction: "in" | "out", message: unknown, connection: Connection) => void;
