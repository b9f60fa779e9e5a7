/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether all users may get a cached result, or only the one that requested it (SEP-2549). */
export type CacheScope = "public" | "private";

/** `use`: returns a fresh entry; `refresh`: always requests, and stores the result; `bypass`: does neither. */
export type CacheMode = "use" | "refresh" | "bypass";

export interface CacheKey {
  readonly method: string;
  readonly params?: string;
  /** Separates servers and users. */
  readonly partition?: string;
}

export interface CacheEntry {
  /** The result as JSON. */
  readonly value: string;
  /** Differs after each `set` of the same key. */
  readonly stamp: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly scope?: CacheScope;
}

/** Keeps results of servers. Errors of a store are reported to `onerror` of the client, and count as misses. */
export interface ResponseCacheStore {
  get(key: CacheKey): MaybePromise<CacheEntry | undefined>;
  /** @returns the stamp of the entry */
  set(key: CacheKey, entry: { value: string; expiresAt?: number; scope?: CacheScope }): MaybePromise<number>;
  delete(key: CacheKey): MaybePromise<void>;
  /** Deletes all entries of a method. */
  evict(method: string): MaybePromise<void>;
  clear(): MaybePromise<void>;
}

export interface InMemoryResponseCacheStoreOptions {
  /** The most entries of `resources/read`; the oldest is dropped first. Default: 512. */
  maxEntries?: number;
}

/** The longest time in milliseconds that a result is kept. */
export const MAX_CACHE_TTL_MS = 86_400_000;

/** The methods with one entry per server and user, which need no limit. */
const unlimited = ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"];

export class InMemoryResponseCacheStore implements ResponseCacheStore {
  readonly #entries = new Map<string, { readonly method: string; readonly entry: CacheEntry }>();
  readonly #maxEntries: number;
  #stamp = 0;

  constructor({ maxEntries = 512 }: InMemoryResponseCacheStoreOptions = {}) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: CacheKey): CacheEntry | undefined {
    return this.#entries.get(textOf(key))?.entry;
  }

  set(key: CacheKey, entry: { value: string; expiresAt?: number; scope?: CacheScope }): number {
    const stamp = ++this.#stamp;
    const { method } = key;
    this.#entries.set(textOf(key), { method, entry: { ...entry, stamp } });
    if (!unlimited.includes(method)) this.#dropOldest();
    return stamp;
  }

  delete(key: CacheKey): void {
    this.#entries.delete(textOf(key));
  }

  evict(method: string): void {
    for (const [text, entry] of this.#entries) if (entry.method === method) this.#entries.delete(text);
  }

  clear(): void {
    this.#entries.clear();
  }

  #dropOldest(): void {
    const limited = [...this.#entries].filter(([, { method }]) => !unlimited.includes(method));
    const surplus = Math.max(0, limited.length - this.#maxEntries);
    for (const [text] of limited.slice(0, surplus)) this.#entries.delete(text);
  }
}

function textOf({ method, params = "", partition = "" }: CacheKey): string {
  return JSON.stringify([method, params, partition]);
}
