export interface SuspensionOptions {
  /** Maximum number of waiting handlers; for one more, the oldest fails over HTTP, otherwise the new one. Default: `1_000`. */
  readonly max?: number;
  /** Milliseconds that a handler waits for the client's next request. Default: `900_000`. */
  readonly ttlMs?: number;
}
