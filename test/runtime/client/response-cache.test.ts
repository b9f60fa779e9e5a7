import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ResponseCache, type CacheHints, type CacheKey } from "../../../runtime/src/client/response-cache.js";

const list: CacheKey = { server: "https://x.test/mcp", method: "tools/list", revision: "r1" };
const forever = 1e15;
const day = 24 * 60 * 60 * 1000;

function page(cursor?: string): CacheKey {
  return cursor === undefined ? list : { ...list, params: { cursor } };
}

function read(uri: string): CacheKey {
  return { ...list, method: "resources/read", params: { uri } };
}

/** A cache with a clock that the test sets. */
function setUp(options: { maxTtlMs?: number; maxEntries?: number } = {}) {
  const clock = { now: 1_000 };
  const cache = new ResponseCache({ now: () => clock.now, ...options });
  const put = (key: CacheKey, name: string, hints: CacheHints = { ttlMs: 100, cacheScope: "public" }): void =>
    cache.set(key, { name }, hints, cache.generation);
  const names = (...keys: CacheKey[]): unknown[] =>
    keys.map((key) => (cache.get(key) as { name: string } | undefined)?.name);
  return { cache, clock, put, names };
}

describe("the time-to-live", () => {
  const rows: readonly [string, unknown, number, boolean][] = [
    ["at once", 100, 0, true],
    ["a millisecond before its end", 100, 99, true],
    ["at exactly its end", 100, 100, false],
    ["zero", 0, 0, false],
    ["absent", undefined, 0, false],
    ["negative", -5, 0, false],
    ["a string", "100", 0, false],
    ["not a number", Number.NaN, 0, false],
    ["null", null, 0, false],
    ["a fraction", 0.5, 0, true],
    ["a huge one, before the cap", forever, day - 1, true],
    ["a huge one, at the cap", forever, day, false],
  ];
  test.each(rows)("%s", (_, ttlMs, passed, fresh) => {
    const { clock, put, names } = setUp();
    put(list, "a", { ttlMs, cacheScope: "public" });
    clock.now += passed;
    expect(names(list)).toEqual([fresh ? "a" : undefined]);
  });

  test("the cap is an option", () => {
    const { clock, put, names } = setUp({ maxTtlMs: 10 });
    put(list, "a");
    clock.now += 10;
    expect(names(list)).toEqual([undefined]);
  });

  test("the default clock runs", () => {
    const cache = new ResponseCache();
    cache.set(list, { name: "a" }, { ttlMs: 60_000 }, cache.generation);
    expect(cache.get(list)).toEqual({ name: "a" });
  });

  test("a newer response replaces an older one, even if it must not be cached", () => {
    const { put, names } = setUp();
    put(list, "a");
    put(list, "b");
    expect(names(list)).toEqual(["b"]);
    put(list, "c", { ttlMs: 0, cacheScope: "public" });
    expect(names(list)).toEqual([undefined]);
  });

  test("pages expire one by one", () => {
    const { clock, put, names } = setUp();
    put(page(), "first", { ttlMs: 300, cacheScope: "public" });
    put(page("2"), "second", { ttlMs: 100, cacheScope: "public" });
    clock.now += 100;
    expect(names(page(), page("2"))).toEqual(["first", undefined]);
  });
});

describe("the identity of a request", () => {
  const others: readonly [string, CacheKey, boolean][] = [
    ["itself", { ...list }, false],
    ["empty params", { ...list, params: {} }, false],
    ["other metadata", { ...list, params: { _meta: { progressToken: 1 } } }, false],
    ["another server", { ...list, server: "https://y.test/mcp" }, true],
    ["another method", { ...list, method: "prompts/list" }, true],
    ["another revision", { ...list, revision: "r2" }, true],
    ["a cursor", page("2"), true],
    ["an empty cursor", page(""), true],
  ];
  test.each(others)("%s", (_, key, other) => {
    const { put, names } = setUp();
    put(list, "a");
    expect(names(key)).toEqual([other ? undefined : "a"]);
  });

  test("the order of params does not matter", () => {
    const { put, names } = setUp();
    put({ ...list, params: { a: 1, b: { c: 2, d: 3 } } }, "a");
    expect(names({ ...list, params: { b: { d: 3, c: 2 }, a: 1 } })).toEqual(["a"]);
  });
});

describe("scope", () => {
  const alice = { ...list, principal: "alice" };
  const bob = { ...list, principal: "bob" };
  const rows: readonly [string, unknown, unknown[]][] = [
    ["public is shared by all", "public", ["a", "a", "a"]],
    ["private is not", "private", ["a", undefined, undefined]],
    ["absent is private", undefined, ["a", undefined, undefined]],
    ["unknown is private", "PUBLIC", ["a", undefined, undefined]],
  ];
  test.each(rows)("%s", (_, cacheScope, expected) => {
    const { put, names } = setUp();
    put(alice, "a", { ttlMs: 100, cacheScope });
    expect(names(alice, bob, list)).toEqual(expected);
  });

  test("anonymous private results are not shared, for any principal", () => {
    const { put, names } = setUp();
    put(list, "a", { ttlMs: 100 });
    expect(names(list, { ...list, principal: "null" }, { ...list, principal: "" })).toEqual([
      "a",
      undefined,
      undefined,
    ]);
  });

  test("principals have their own private responses", () => {
    const { put, names } = setUp();
    put(alice, "a", { ttlMs: 100 });
    put(bob, "b", { ttlMs: 100 });
    expect(names(alice, bob)).toEqual(["a", "b"]);
  });

  const mixes: readonly [string, string, string][] = [
    ["a private page after a public one", "public", "private"],
    ["a public page after a private one", "private", "public"],
  ];
  test.each(mixes)("%s makes all pages private", (_, first, second) => {
    const { put, names } = setUp();
    const third = { ...page("3"), principal: "alice" };
    put(alice, "1", { ttlMs: 100, cacheScope: first });
    put({ ...page("2"), principal: "alice" }, "2", { ttlMs: 100, cacheScope: second });
    put(third, "3", { ttlMs: 100, cacheScope: "public" });
    expect(names(alice, { ...page("2"), principal: "alice" }, third)).toEqual(["1", "2", "3"]);
    expect(names(bob, { ...page("2"), principal: "bob" }, { ...third, principal: "bob" })).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("other lists keep their scope", () => {
    const { put, names } = setUp();
    const prompts = { ...alice, method: "prompts/list" };
    put(prompts, "p");
    put(alice, "1");
    put({ ...page("2"), principal: "alice" }, "2", { ttlMs: 100 });
    expect(names({ ...prompts, principal: "bob" })).toEqual(["p"]);
  });

  test("a mixed list is public again once its pages have expired", () => {
    const { clock, put, names } = setUp();
    put(alice, "1");
    put({ ...page("2"), principal: "alice" }, "2", { ttlMs: 100 });
    clock.now += 100;
    put(alice, "1");
    expect(names(bob)).toEqual(["1"]);
  });
});

describe("invalidation", () => {
  const updates: readonly [updated: string, cached: string, dropped: boolean][] = [
    ["file:///a/b", "file:///a/b", true],
    ["file:///a/b", "file:///a", true],
    ["file:///a/b", "file:///a/", true],
    ["file:///a/b", "file:///a/b/c", true],
    ["file:///a/", "file:///a/b", true],
    ["file:///a/b", "file:///", true],
    ["file:///a/b", "file:///a/b?x", true],
    ["file:///a/b", "file:///a/b#x", true],
    ["file:///a/b", "file:///a/bc", false],
    ["file:///a/bc", "file:///a/b", false],
    ["file:///a/b", "file:///a/c", false],
    ["file:///a/b", "file:///c", false],
    ["file:///ü/b", "file:///%C3%BC/b", true],
    ["note://a", "file:///a", false],
  ];
  test.each(updates)("of %s, with %s: %j", (updated, cached, dropped) => {
    const { cache, put, names } = setUp();
    put(read(cached), "r");
    put(list, "l");
    cache.invalidateResource("https://y.test/mcp", updated);
    expect(names(read(cached))).toEqual(["r"]);
    cache.invalidateResource(list.server, updated);
    expect(names(read(cached), list)).toEqual([dropped ? undefined : "r", "l"]);
  });

  test("of a method drops all its pages, of all principals", () => {
    const { cache, put, names } = setUp();
    const keys = [list, page("2"), { ...list, principal: "alice" }, read("file:///a"), { ...list, server: "y" }];
    for (const key of keys) put(key, "a", { ttlMs: 100 });
    cache.invalidateMethod(list.server, list.method);
    expect(names(...keys)).toEqual([undefined, undefined, undefined, "a", "a"]);
  });

  test("of a server drops all its responses", () => {
    const { cache, put, names } = setUp();
    const keys = [list, read("file:///a"), { ...list, server: "y" }];
    for (const key of keys) put(key, "a");
    cache.clear(list.server);
    expect(names(...keys)).toEqual([undefined, undefined, "a"]);
  });

  const late: readonly [string, CacheKey, (cache: ResponseCache) => void, boolean][] = [
    ["its method", list, (cache) => cache.invalidateMethod(list.server, list.method), false],
    ["its server", list, (cache) => cache.clear(list.server), false],
    ["the resource", read("file:///a"), (cache) => cache.invalidateResource(list.server, "file:///a/b"), false],
    ["another resource", read("file:///a"), (cache) => cache.invalidateResource(list.server, "file:///b"), true],
    ["a resource, with a list", list, (cache) => cache.invalidateResource(list.server, "file:///b"), true],
    ["another method", list, (cache) => cache.invalidateMethod(list.server, "prompts/list"), true],
    ["another server", list, (cache) => cache.clear("https://y.test/mcp"), true],
  ];
  test.each(late)("of %s while a request is in progress", (_, key, invalidate, stored) => {
    const { cache, put, names } = setUp();
    const generation = cache.generation;
    invalidate(cache);
    cache.set(key, { name: "late" }, { ttlMs: 100 }, generation);
    expect(names(key)).toEqual([stored ? "late" : undefined]);
    put(key, "new");
    cache.set(key, { name: "late" }, { ttlMs: 100 }, generation);
    expect(names(key)).toEqual([stored ? "late" : "new"]);
  });

  test("is remembered even after more invalidations than are stored", () => {
    const { cache, put, names } = setUp({ maxEntries: 2 });
    const generation = cache.generation;
    cache.invalidateMethod(list.server, list.method);
    for (const server of ["a", "b", "c", "d"]) cache.clear(server);
    cache.set(list, { name: "late" }, { ttlMs: 100 }, generation);
    expect(names(list)).toEqual([undefined]);
    put(list, "new");
    expect(names(list)).toEqual(["new"]);
  });
});

test("drops the least recently used response first", () => {
  const { put, names } = setUp({ maxEntries: 3 });
  for (const cursor of ["1", "2", "3"]) put(page(cursor), cursor);
  names(page("1"));
  put(page("4"), "4");
  put(page("3"), "3 again");
  put(page("5"), "5");
  expect(names(...["1", "2", "3", "4", "5"].map(page))).toEqual([undefined, undefined, "3 again", "4", "5"]);
});

test("caches 1,000 responses by default", () => {
  const { cache, put } = setUp();
  const keys = Array.from({ length: 1_001 }, (_, at) => page(`${at}`));
  for (const key of keys) put(key, "a");
  expect(keys.filter((key) => cache.get(key) === undefined)).toEqual([page("0")]);
});

interface Kept {
  readonly key: CacheKey;
  readonly scope: string;
  readonly until: number;
  readonly result: object;
}

type Hits = (key: CacheKey) => boolean;

/** A naive model of the cache that searches lists. */
class Model {
  now = 0;
  kept: Kept[] = [];
  readonly invalidations: Hits[] = [];

  get(key: CacheKey): object | undefined {
    return this.#forKey(key).find(({ until }) => this.now < until)?.result;
  }

  set(key: CacheKey, result: object, ttlMs: number, scope: string, asked: number): void {
    if (this.invalidations.slice(asked).some((hits) => hits(key))) return;
    const replaced = this.#forKey(key);
    this.kept = this.kept.filter((one) => !replaced.includes(one) && this.now < one.until);
    if (ttlMs === 0) return;
    const pages = this.kept.filter((one) => JSON.stringify(listOf(one.key)) === JSON.stringify(listOf(key)));
    const mixed = pages.some((one) => one.scope !== scope);
    this.kept = this.kept.map((one) => (mixed && pages.includes(one) ? { ...one, scope: "mixed" } : one));
    this.kept.push({ key, scope: mixed ? "mixed" : scope, until: this.now + ttlMs, result });
  }

  invalidate(hits: Hits): void {
    this.kept = this.kept.filter(({ key }) => !hits(key));
    this.invalidations.push(hits);
  }

  #forKey(key: CacheKey): Kept[] {
    return this.kept.filter(
      (one) =>
        JSON.stringify({ ...one.key, principal: 0 }) === JSON.stringify({ ...key, principal: 0 }) &&
        (one.scope === "public" || one.key.principal === key.principal),
    );
  }
}

function listOf(key: CacheKey): object {
  return { ...key, principal: 0, params: { ...key.params, cursor: undefined } };
}

function uriOf(key: CacheKey): string | undefined {
  return (key.params as { readonly uri?: string } | undefined)?.uri;
}

function related(a: string, b: string): boolean {
  const [short = [], long = []] = [a.split("/"), b.split("/")].sort((x, y) => x.length - y.length);
  return short.every((part, at) => part === long[at]);
}

test("any sequence of calls matches the naive model", () => {
  const servers = fc.constantFrom("s", "t");
  const methods = fc.constantFrom("m", "n");
  const uris = fc.constantFrom("x:/a", "x:/a/b", "x:/ab", "x:/c");
  const keys: fc.Arbitrary<CacheKey> = fc.record({
    server: servers,
    method: methods,
    revision: fc.constant("r"),
    params: fc.oneof(
      fc.constantFrom({}, { cursor: "2" }),
      uris.map((uri) => ({ uri })),
    ),
    principal: fc.constantFrom(undefined, "alice"),
  });
  type Step = (cache: ResponseCache, model: Model, asked: { cache: number; model: number }) => void;
  const steps: fc.Arbitrary<Step> = fc.oneof(
    keys.map(
      (key): Step =>
        (cache, model) =>
          expect(cache.get(key)).toBe(model.get(key)),
    ),
    fc
      .tuple(keys, fc.nat(20), fc.constantFrom("public", "private"), fc.boolean())
      .map(([key, ttlMs, cacheScope, late]): Step => (cache, model, asked) => {
        const result = {};
        cache.set(key, result, { ttlMs, cacheScope }, late ? asked.cache : cache.generation);
        model.set(key, result, ttlMs, cacheScope, late ? asked.model : model.invalidations.length);
        expect(cache.get(key)).toBe(model.get(key));
      }),
    fc.nat(15).map((passed): Step => (_, model) => {
      model.now += passed;
    }),
    fc.constant<Step>((cache, model, asked) => {
      asked.cache = cache.generation;
      asked.model = model.invalidations.length;
    }),
    fc.tuple(servers, methods).map(([server, method]): Step => (cache, model) => {
      const hits: Hits = (key) => key.server === server && key.method === method;
      cache.invalidateMethod(server, method);
      model.invalidate(hits);
    }),
    servers.map((server): Step => (cache, model) => {
      const hits: Hits = (key) => key.server === server;
      cache.clear(server);
      model.invalidate(hits);
    }),
    fc.tuple(servers, uris).map(([server, uri]): Step => (cache, model) => {
      cache.invalidateResource(server, uri);
      model.invalidate((key) => {
        const read = uriOf(key);
        return key.server === server && read !== undefined && related(read, uri);
      });
    }),
  );
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 60, size: "max" }), (script) => {
      const model = new Model();
      const cache = new ResponseCache({ now: () => model.now });
      const asked = { cache: 0, model: 0 };
      for (const step of script) step(cache, model, asked);
    }),
    { numRuns: 1_000 },
  );
});
