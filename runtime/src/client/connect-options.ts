import type { DiscoverResult } from "../authoring.js";
import type { CallOptions } from "../connection/call-options.js";

/** How a connection opens: with `initialize`, or without. */
export type Era = "handshake" | "stateless";

/** Remembers the eras of servers. A `Map` is one; for a longer time, store them with a date, and forget old ones. */
export interface EraMemory {
  /** @param server the URL of the server, or its command as JSON: `[command, args, cwd]` */
  get(server: string): Era | undefined;
  set(server: string, era: Era): unknown;
}

export interface ConnectOptions extends CallOptions {
  /** Skips the probe, when the era is known from an earlier connection to the server. A wrong era is detected. */
  readonly era?: Era;
  /**
   * `getDiscoverResult()` of an earlier connection to the server, also one of another process. `connect` then sends nothing: the first
   * call is the first message. A server that has another revision by now is detected at that call.
   */
  readonly prior?: DiscoverResult | undefined;
  /**
   * Milliseconds to wait for a response to the probe before the handshake is tried. Default: 1,500; 10,000 for
   * a probe that is still open when the server has rejected the handshake.
   */
  readonly probeTimeoutMs?: number;
}
