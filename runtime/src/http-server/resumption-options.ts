/** How long the messages of a stream are kept, for clients that reconnect. */
export interface ResumptionOptions {
  /** Milliseconds that the messages of a stream are kept after its last one. Default: `300_000`. */
  readonly ttlMs?: number;
  /** Maximum number of messages of a stream that are kept: the newest. Default: `10_000`. */
  readonly maxEvents?: number;
}
