/** A server whose list is missing, and why. */
export interface MissingServer {
  readonly server: string;
  readonly reason: string;
  /** Set when the user has to log in there first. */
  readonly logIn?: true;
}
