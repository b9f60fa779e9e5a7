import type { CallOptions } from "../connection/call-options.js";

/** How a connection opens: with `initialize`, or without. */
export type Era = "handshake" | "stateless";

export interface ConnectOptions extends CallOptions {
  /** Skips the probe, when the era is known from an earlier connection to the server. A wrong era is detected. */
  readonly era?: Era;
  /** Milliseconds to wait for a response to the probe before the handshake is tried. Default: 1,500. */
  readonly probeTimeoutMs?: number;
}
