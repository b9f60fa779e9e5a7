/** The members of a token of an OAuth proxy. */
export interface ProxyClaims {
  readonly iss: string;
  /** The id of the user's account: the same for each log-in of that user at the provider. */
  readonly sub: string;
  readonly client_id: string;
  readonly scope: string;
  readonly aud: string;
  /** Seconds since 1970. */
  readonly iat: number;
  /** Seconds since 1970. */
  readonly exp: number;
}
