import type { Result } from "../types/index.js";
import {
  type CacheEntry,
  type CacheKey,
  type CacheScope,
  MAX_CACHE_TTL_MS,
  type ResponseCacheStore,
} from "./response-cache.js";

interface CacheOptions {
  /** Separates the users whose private results are in a shared store. */
  readonly partition: string;
  /** Milliseconds for results whose server names no time. */
  readonly defaultTtlMs: number;
  readonly onerror: (error: unknown) => void;
}

/** The lists that a notification makes out of date. */
const outdated: Readonly<Record<string, readonly string[]>> = {
  "notifications/tools/list_changed": ["tools/list"],
  "notifications/prompts/list_changed": ["prompts/list"],
  "notifications/resources/list_changed": ["resources/list", "resources/templates/list"],
};

/** Reads and writes the results of one server in a store, as the hints of the server allow (SEP-2549). */
export class CachedResults {
  #server = "";
  /** Grows with each change, so that a result that was requested before the change is not stored. */
  #generation = 0;

  constructor(
    readonly store: ResponseCacheStore,
    readonly options: CacheOptions,
  ) {}

  /** @param server separates the entries of this server from those of others in the same store */
  connect(server: string): void {
    this.#server = server;
  }

  /** The number to pass to `write` for a result that is requested now. */
  get generation(): number {
    return this.#generation;
  }

  /** Returns a copy that belongs to the caller. */
  async read(method: string, params = ""): Promise<Result | undefined> {
    const found = await this.#guarded(() => this.#find(method, params));
    if (found?.expiresAt === undefined || found.expiresAt <= Date.now()) return undefined;
    return this.#guarded(() => JSON.parse(found.value) as Result);
  }

  /** Stores a result, unless it was out of date when it arrived. */
  async write(method: string, result: Result, generation: number, params?: string): Promise<void> {
    if (generation !== this.#generation) return;
    const { ttlMs = this.options.defaultTtlMs, cacheScope } = result as { ttlMs?: number; cacheScope?: unknown };
    const lasts = Math.min(Math.max(0, ttlMs), MAX_CACHE_TTL_MS);
    // The number of resources has no limit: only those are stored that can be read again.
    if (params !== undefined && lasts === 0) return this.#delete(method, params);
    const scope = cacheScope === "public" ? "public" : "private";
    const entry = { value: JSON.stringify(result), expiresAt: Date.now() + lasts, scope } as const;
    await this.#delete(method, params ?? "");
    await this.#guarded(() => this.store.set(this.#key(method, params ?? "", scope), entry));
  }

  /** Drops the results that a notification makes out of date. */
  handle(method: string, params: { readonly uri?: unknown } | undefined): void {
    const lists = outdated[method];
    if (lists) {
      this.#generation++;
      for (const list of lists) void this.#delete(list, "");
    } else if (method === "notifications/resources/updated" && typeof params?.uri === "string") {
      this.#generation++;
      void this.#delete("resources/read", params.uri);
    }
  }

  async #find(method: string, params: string): Promise<CacheEntry | undefined> {
    const own = await this.store.get(this.#key(method, params, "private"));
    if (own ?? this.options.partition === "") return own;
    const shared = await this.store.get(this.#key(method, params, "public"));
    return shared?.scope === "public" ? shared : undefined;
  }

  async #delete(method: string, params: string): Promise<void> {
    await this.#guarded(() => this.store.delete(this.#key(method, params, "private")));
    if (this.options.partition !== "")
      await this.#guarded(() => this.store.delete(this.#key(method, params, "public")));
  }

  #key(method: string, params: string, scope: CacheScope): CacheKey {
    return {
      method,
      params,
      partition: JSON.stringify([this.#server, scope === "public" ? "" : this.options.partition]),
    };
  }

  async #guarded<T>(use: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await use();
    } catch (error) {
      this.options.onerror(error);
      return undefined;
    }
  }
}
