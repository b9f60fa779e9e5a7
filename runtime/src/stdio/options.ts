/** How much a transport over byte streams reads and keeps. */
export interface StdioOptions {
  /** The longest message that is read, in bytes; a longer one is refused and skipped. Default 16 MiB. */
  readonly maxMessageBytes?: number;
  /** How deeply arrays and objects of a message may be nested, in levels; what is deeper is refused. Default 1,000. */
  readonly maxDepth?: number;
  /** What may wait for a peer that reads slowly, in bytes, before the transport closes. Default 64 MiB. */
  readonly maxQueuedBytes?: number;
}
