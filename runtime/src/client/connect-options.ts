import type { CallOptions } from "../connection/call-options.js";

/** The two ways in which a connection may open. */
export type Era = "handshake" | "stateless";

export interface ConnectOptions extends CallOptions {
  /** Skips the probe: the era is known, from an earlier connection to the same server. A wrong one is found out. */
  readonly era?: Era;
  /** Milliseconds after which a server that does not answer the probe is taken for one of the handshake era. Default 1,500. */
  readonly probeTimeoutMs?: number;
}
