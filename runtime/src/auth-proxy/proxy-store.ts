/**
 * Where an `OAuthProxy` keeps clients, grants, tokens and consents. Values are JSON text that the proxy has encrypted where they
 * are secrets; ids of tokens are hashes. Several processes may use one store.
 */
export interface ProxyStore {
  /** Returns the value of an id, or undefined when there is none or it has expired. */
  get(kind: string, id: string): string | undefined | Promise<string | undefined>;
  /**
   * Sets a value.
   * @param expiresAt the `Date.now()` at which it ends; undefined for never
   * @param group values of one group are deleted together
   */
  set(kind: string, id: string, value: string, expiresAt?: number, group?: string): void | Promise<void>;
  /**
   * Returns and deletes a value in one step, so that only one of several callers gets it.
   */
  take(kind: string, id: string): string | undefined | Promise<string | undefined>;
  delete(kind: string, id: string): void | Promise<void>;
  /** Deletes all values of a group. */
  deleteGroup(kind: string, group: string): void | Promise<void>;
  /** The number of values of a kind that have not expired. */
  count(kind: string): number | Promise<number>;
}
