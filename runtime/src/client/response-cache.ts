import { canonicalJson } from "../jsonrpc/canonical-json.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { isSameOrBelow, normalUri } from "../rules/uris.js";

/** What a response answers. */
export interface CacheKey {
  /** Who answered, such as the endpoint's URL. */
  readonly server: string;
  readonly method: string;
  readonly revision: string;
  /** Params of the request; all but `_meta` count. */
  readonly params?: object | undefined;
  /** For whom the server answers, such as issuer and subject of the token; undefined is anonymous. */
  readonly principal?: string | undefined;
}

/** What a server says about keeping its response; anything that came over the wire may be passed. */
export interface CacheHints {
  /** Milliseconds. What is no positive number counts as 0: the response is not kept. */
  readonly ttlMs?: unknown;
  /** What is not `public` counts as private. */
  readonly cacheScope?: unknown;
}

export interface ResponseCacheOptions {
  /** The time in milliseconds. Default `Date.now`. */
  readonly now?: () => number;
  /** Milliseconds that a response is kept at most, whatever the server says. Default 24 hours. */
  readonly maxTtlMs?: number;
  /** Responses that are kept; the least recently used one goes first. Default 1,000. */
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
 * Keeps responses as long as their servers allow (MCP, caching). Public ones are shared by all principals, private ones
 * are not. Every page of a list is an entry of its own. Nothing is ever fetched, and nothing happens on a timer.
 *
 * The caller decides what is stored: interim results, errors, and answers to requests with `inputResponses` or
 * `requestState` must not be.
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
  /** In the order of use. Of the responses for one request by one principal there is only one. */
  readonly #entries = new Set<Entry>();
  /** What the last invalidations were for; as many as there may be entries. */
  readonly #recent: ((key: CacheKey) => boolean)[] = [];
  /** Invalidations before those. */
  #forgotten = 0;

  constructor(options: ResponseCacheOptions = {}) {
    assertNumberOptions(options);
    const { now = Date.now, maxTtlMs = 24 * 60 * 60 * 1000, maxEntries = 1_000 } = options;
    this.#now = now;
    this.#maxTtlMs = maxTtlMs;
    this.#maxEntries = maxEntries;
  }

  /** Grows with every invalidation. Read it before a request is sent, and hand it to `set` with the response. */
  get generation(): number {
    return this.#forgotten + this.#recent.length;
  }

  /** The stored result while it is fresh. All callers get the same object: do not change it. */
  get(key: CacheKey): object | undefined {
    const entry = this.#find(key);
    if (!entry) return undefined;
    this.#entries.delete(entry);
    if (this.#now() >= entry.expires) return undefined;
    this.#entries.add(entry);
    return entry.result;
  }

  /**
   * Stores a result from now on, in place of an older one; one that may not be kept only removes the older one. A page
   * whose scope is not that of the other pages makes them all private.
   * @param generation what `generation` was before the request was sent; nothing happens when the request was
   *   invalidated since, because the response may tell of the time before
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

  /** Drops all responses of a method, every page of a list: it has changed, or a cursor is no longer good. */
  invalidateMethod(server: string, method: string): void {
    this.#invalidate((key) => key.server === server && key.method === method);
  }

  /** Drops what was read of a resource that was updated, of what lies below it, and of what it lies in. */
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

/** Tells requests apart, whoever makes them. */
function textOf({ server, method, revision, params }: CacheKey, without?: object): string {
  return canonicalJson([server, method, revision, { ...params, _meta: undefined, ...without }]);
}
