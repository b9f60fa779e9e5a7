/** The provider that users log in at. */
export interface UpstreamProvider {
  /** Its issuer, or another URL that identifies it; part of the ids of accounts. */
  readonly issuer: string;
}
