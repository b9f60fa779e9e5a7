/** Limits of a transport over byte streams. */
export interface StdioOptions {
  /** The longest message, in bytes; a longer one is rejected and skipped. Default: 16 MiB. */
  readonly maxMessageBytes?: number;
  /** The most levels to which arrays and objects of a message may be nested; deeper ones are rejected. Default: 1,000. */
  readonly maxDepth?: number;
  /** The most values in a message, counted as commas and opening brackets; more are rejected. Default: 1,000,000. */
  readonly maxValues?: number;
  /** The most bytes that may be queued for a slow peer before the transport closes. Default: 64 MiB. */
  readonly maxQueuedBytes?: number;
}
