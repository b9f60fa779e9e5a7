/** Remembers the ids of DPoP proofs, so that a proof is accepted once (RFC 9449, section 11.1). */
export interface ReplayStore {
  /**
   * Adds an id, in one step with the check whether it is new: another node may add the same id at the same time. When it fails, the
   * request is not served, and the client gets 503.
   * @param expiresAt the `Date.now()` from which on the id may be forgotten, an integer
   * @param client the same for all ids of one client (the thumbprint of its key), to limit how many it may add
   * @returns whether the id is new
   */
  add(id: string, expiresAt: number, client: string): boolean | Promise<boolean>;
}
