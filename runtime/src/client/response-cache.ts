import { canonicalJson } from "../jsonrpc/canonical-json.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { isSameOrBelow, normalUri } from "../rules/uris.js";

/** Identifies a cached response. */
export interface CacheKey {
  /** The server that responded, such as the endpoint's URL. */
  readonly server: string;
  readonly method: string;
  readonly revision: string;
  /** The params of the request; all members except `_meta` count. */
  readonly params?: object | undefined;
  /** For whom the server responds, such as issuer and subject of the token. Default: anonymous. */
  readonly principal?: string | undefined;
}

/** The cache hints of a response; unchecked values of any type may be passed. */
export interface CacheHints {
  /** Milliseconds. Anything but a positive number counts as 0: the response is not cached. */
  readonly ttlMs?: unknown;
  /** Anything but `public` counts as private. */
  readonly cacheScope?: unknown;
}

export interface ResponseCacheOptions {
  /** The time in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
  /** The most milliseconds that a response is cached, regardless of its hints. Default: 24 hours. */
  readonly maxTtlMs?: number;
  /** The most responses to cache; the least recently used one is dropped first. Default: 1,000. */
  readonly maxEntries?: number;
}

interface Entry {
  readonly key: CacheKey;
  readonly request: string;
  /** The same for all pages of a list. */
  readonly list: string;
  scope: "public" | "private" | "mixed";
  readonly expires: number;
  readonly result: object;
}

/**
 * Caches responses as long as their servers allow (MCP, caching). All principals share public responses, but not private
 * ones. Each page of a list is a separate entry. The cache never fetches anything and uses no timers.
 *
 * The caller decides which results to store. It must not store interim results, errors, or responses to requests with
 * `inputResponses` or `requestState`.
 * @example
 * ```ts
 * const cache = new ResponseCache({ maxEntries: 500 });
 * const client = new Client({ name: "my-host", version: "1.0.0" }, { cache });
 * ```
 */
export class ResponseCache {
  readonly #now: () => number;
  readonly #maxTtlMs: number;
  readonly #maxEntries: number;
  /** In order of use. There is only one response per request and principal. */
  readonly #entries = new Set<Entry>();
  /** The filters of the last invalidations; at most as many as entries. */
  readonly #recent: ((key: CacheKey) => boolean)[] = [];
  /** The number of older invalidations. */
  #forgotten = 0;

  constructor(options: ResponseCacheOptions = {}) {
    assertNumberOptions(options);
    const { now = Date.now, maxTtlMs = 24 * 60 * 60 * 1000, maxEntries = 1_000 } = options;
    this.#now = now;
    this.#maxTtlMs = maxTtlMs;
    this.#maxEntries = maxEntries;
  }

  /** Grows with every invalidation. Read it before you send a request, and pass it to `set` with the response. */
  get generation(): number {
    return this.#forgotten + this.#recent.length;
  }

  /** Returns the stored result while it is fresh. All callers get the same object: do not change it. */
  get(key: CacheKey): object | undefined {
    const entry = this.#find(key);
    if (!entry) return undefined;
    this.#entries.delete(entry);
    if (this.#now() >= entry.expires) return undefined;
    this.#entries.add(entry);
    return entry.result;
  }

  /**
   * Stores a result in place of an older one; a result that must not be cached only removes the older one. If the scope of
   * a page differs from the other pages, all of them become private.
   * @param generation the value of `generation` before the request was sent; nothing is stored if the request has been
   *   invalidated since, because the response may be out of date
   */
  set(key: CacheKey, result: object, { ttlMs, cacheScope }: CacheHints, generation: number): void {
    const since = generation - this.#forgotten;
    if (since < 0 || this.#recent.slice(since).some((fits) => fits(key))) return;
    const now = this.#now();
    const replaced = this.#find(key);
    this.#drop((entry) => entry === replaced || entry.expires <= now);
    const ttl = typeof ttlMs === "number" ? Math.min(ttlMs, this.#maxTtlMs) : 0;
    if (!(ttl > 0)) return;
    const list = textOf(key, { cursor: undefined });
    const scope = cacheScope === "public" ? "public" : "private";
    const pages = [...this.#entries].filter((entry) => entry.list === list);
    const mixed = pages.some((page) => page.scope !== scope);
    if (mixed) for (const page of pages) page.scope = "mixed";
    this.#entries.add({ key, request: textOf(key), list, scope: mixed ? "mixed" : scope, expires: now + ttl, result });
    const [oldest] = this.#entries;
    if (oldest && this.#entries.size > this.#maxEntries) this.#entries.delete(oldest);
  }

  /** Drops all responses of a method, with every page of a list, because the list has changed or a cursor is invalid. */
  invalidateMethod(server: string, method: string): void {
    this.#invalidate((key) => key.server === server && key.method === method);
  }

  /** Drops the cached reads of an updated resource, and of the resources above and below it. */
  invalidateResource(server: string, uri: string): void {
    const changed = normalUri(uri);
    this.#invalidate((key) => {
      const { uri: read } = (key.params ?? {}) as { readonly uri?: unknown };
      if (key.server !== server || typeof read !== "string") return false;
      const known = normalUri(read);
      return isSameOrBelow(known, changed) || isSameOrBelow(changed, known);
    });
  }

  /** Drops all responses of a server. */
  clear(server: string): void {
    this.#invalidate((key) => key.server === server);
  }

  #find(key: CacheKey): Entry | undefined {
    const request = textOf(key);
    for (const entry of this.#entries) {
      if (entry.request === request && (entry.scope === "public" || entry.key.principal === key.principal))
        return entry;
    }
    return undefined;
  }

  #drop(fits: (entry: Entry) => boolean): void {
    for (const entry of this.#entries) if (fits(entry)) this.#entries.delete(entry);
  }

  #invalidate(fits: (key: CacheKey) => boolean): void {
    this.#drop(({ key }) => fits(key));
    if (this.#recent.push(fits) <= this.#maxEntries) return;
    this.#recent.shift();
    this.#forgotten++;
  }
}

/** A string that identifies a request, for all principals. */
function textOf({ server, method, revision, params }: CacheKey, without?: object): string {
  return canonicalJson([server, method, revision, { ...params, _meta: undefined, ...without }]);
}
