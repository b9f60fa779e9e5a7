/** An authenticated user or client. */
export interface Principal {
  /** URL of the issuer that authenticated `subject`. */
  readonly issuer: string;
  /** Unique within the issuer. */
  readonly subject: string;
}
