/** Limits on what a connection accepts. */
export interface Limits {
  /** Maximum number of the peer's requests in progress; further ones are rejected. Default: `1_000`. */
  readonly requestsInFlight: number;
  /** Maximum number of messages in a batch, in revisions that have batches. Default: `1_000`. */
  readonly batchLength: number;
  /** Maximum number of open `subscriptions/listen` streams or subscribed resources of one connection. Default: `1_000`. */
  readonly subscriptions: number;
  /** Maximum length of the data of a session, `session.store`, in characters of JSON text. Default: `65_536`. */
  readonly sessionDataLength: number;
}
