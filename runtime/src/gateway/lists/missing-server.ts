/** A server whose list is missing, and why. */
export interface MissingServer {
  readonly server: string;
  readonly reason: string;
}
