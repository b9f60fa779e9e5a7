/** How much a connection accepts. Each has a default; raise or lower them per server or client. */
export interface Limits {
  /** Requests of the peer that are being handled at once; one more is refused. Default 1,000. */
  readonly requestsInFlight: number;
  /** Messages in a batch, for the revision that has batches. Default 1,000. */
  readonly batchLength: number;
  /** Open `subscriptions/listen` streams or subscribed resources of one connection. Default 1,000. */
  readonly subscriptions: number;
}
