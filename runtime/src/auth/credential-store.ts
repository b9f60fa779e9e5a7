/**
 * Keeps the credentials of one user: registrations, tokens, flows in progress. The values are secret. A store for a keyring of
 * the operating system implements the first three methods.
 */
export interface CredentialStore {
  /** Returns the value; undefined when there is none. */
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): void | Promise<void>;
  /** Deletes the value. Does nothing when there is none. */
  delete(key: string): void | Promise<void>;
  /**
   * Runs `work` while no other user of the store, in this or another process, runs work with the same key, so that two
   * processes do not redeem the same refresh token. Default: only one process is expected.
   */
  withLock?<Value>(key: string, work: () => Promise<Value>, signal: AbortSignal): Promise<Value>;
}

/** Keeps credentials until the process ends. */
export class MemoryCredentialStore implements CredentialStore {
  readonly #values = new Map<string, string>();

  get(key: string): string | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: string): void {
    this.#values.set(key, value);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}

/**
 * Returns a store for one of many users, which shares `store` with the others.
 * @param user identifies the user; a store never sees the credentials of another user
 */
export function storeOfUser(store: CredentialStore, user: string): CredentialStore {
  const own = (key: string): string => `${encodeURIComponent(user)} ${key}`;
  const withLock = store.withLock?.bind(store);
  return {
    get: (key) => store.get(own(key)),
    set: (key, value) => store.set(own(key), value),
    delete: (key) => store.delete(own(key)),
    ...(withLock && { withLock: (key, work, signal) => withLock(own(key), work, signal) }),
  };
}
