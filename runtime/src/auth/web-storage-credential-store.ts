import type { CredentialStore } from "./credential-store.js";

/** The part of `localStorage` and `sessionStorage` that a store needs. */
export interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The Web Locks API, which all tabs of an origin share. */
interface WebLocks {
  request<Value>(name: string, options: { readonly signal: AbortSignal }, work: () => Promise<Value>): Promise<Value>;
}

/**
 * Keeps credentials in the `localStorage` or `sessionStorage` of a web page. All scripts of the page's origin can read them: use it
 * for pages without a server of their own, and without scripts of others.
 *
 * @example
 * ```ts
 * const store = new WebStorageCredentialStore(sessionStorage);
 * ```
 */
export class WebStorageCredentialStore implements CredentialStore {
  /** @param prefix precedes the keys in the storage. Default: `mcp ` */
  constructor(
    readonly storage: WebStorage,
    readonly prefix = "mcp ",
  ) {}

  get(key: string): string | undefined {
    return this.storage.getItem(this.prefix + key) ?? undefined;
  }

  set(key: string, value: string): void {
    this.storage.setItem(this.prefix + key, value);
  }

  delete(key: string): void {
    this.storage.removeItem(this.prefix + key);
  }

  /** Locks between the tabs of the browser; not at all where it lacks the Web Locks API. */
  async withLock<Value>(key: string, work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    const { navigator } = globalThis as { readonly navigator?: { readonly locks?: WebLocks } };
    return navigator?.locks ? navigator.locks.request(this.prefix + key, { signal }, work) : work();
  }
}
