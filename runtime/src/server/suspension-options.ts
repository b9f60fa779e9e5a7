export interface SuspensionOptions {
  /** Handlers that may wait at once; one more fails. Default 1,000. */
  readonly max?: number;
  /** Milliseconds that a handler waits for the client to come back. Default 900,000. */
  readonly ttlMs?: number;
}
