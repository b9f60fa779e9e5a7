/** Somebody who was authenticated. */
export interface Principal {
  /** Who vouches for `subject`: an issuer's URL. */
  readonly issuer: string;
  /** Unique within the issuer. */
  readonly subject: string;
}
