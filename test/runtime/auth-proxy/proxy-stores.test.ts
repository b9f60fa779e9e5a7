import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MemoryProxyStore } from "../../../runtime/src/auth-proxy/memory-proxy-store.js";
import { openSqliteStore } from "../../../runtime/src/auth-proxy/open-sqlite-store.js";
import type { ProxyStore } from "../../../runtime/src/auth-proxy/proxy-store.js";
import { SqliteProxyStore } from "../../../runtime/src/auth-proxy/sqlite-proxy-store.js";
import { databases, sqlite } from "../sqlite/open-database.js";

interface OpenStore {
  readonly store: ProxyStore;
  close(): void | Promise<void>;
}

const stores: readonly (readonly [string, boolean, () => OpenStore | Promise<OpenStore>])[] = [
  ["MemoryProxyStore", true, () => ({ store: new MemoryProxyStore(), close: () => undefined })],
  ...databases.map(
    ([name, openDatabase]) =>
      [
        `SqliteProxyStore on ${name}`,
        true,
        () => {
          const store = new SqliteProxyStore(openDatabase(":memory:"));
          return { store, close: () => store.close() };
        },
      ] as const,
  ),
  [
    "openSqliteStore",
    sqlite !== undefined,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "proxy-store-"));
      const store = await openSqliteStore(join(folder, "proxy.db"));
      return {
        store,
        async close() {
          store.close();
          await rm(folder, { recursive: true });
        },
      };
    },
  ],
];

// node:sqlite is part of Node 22.13 and later.
describe.each(stores.filter(([, exists]) => exists))("%s", (_name, _exists, open) => {
  let opened: OpenStore;
  let store: ProxyStore;

  beforeEach(async () => {
    opened = await open();
    ({ store } = opened);
  });

  afterEach(async () => {
    vi.useRealTimers();
    await opened.close();
  });

  it("returns what was set, by kind and id", async () => {
    await store.set("client", "a", "1");
    await store.set("grant", "a", "2");
    await store.set("client", "b", "3");
    expect(await store.get("client", "a")).toBe("1");
    expect(await store.get("grant", "a")).toBe("2");
    expect(await store.get("client", "c")).toBeUndefined();
    expect(await store.get("none", "a")).toBeUndefined();
  });

  it("keeps any text, also in ids", async () => {
    for (const text of [
      "",
      "'); DROP TABLE proxy_values; --",
      "é😀\u0000x",
      "\u0000",
      "\u0001",
      "\u00010\u0001\u00001",
      "__proto__",
      "constructor",
      "x".repeat(100_000),
    ]) {
      await store.set(text, text, text, undefined, text);
      expect(await store.get(text, text)).toBe(text);
      await store.deleteGroup(text, text);
      expect(await store.get(text, text)).toBeUndefined();
    }
  });

  it("keeps ids apart that differ after a NUL", async () => {
    await store.set("client", "a", "1");
    expect(await store.get("client", "a\u0000b")).toBeUndefined();
  });

  it("replaces a value with its expiry and group", async () => {
    await store.set("token", "a", "1", Date.now() + 1_000, "old");
    await store.set("token", "a", "2", undefined, "new");
    await store.deleteGroup("token", "old");
    vi.useFakeTimers({ now: Date.now() + 10_000, toFake: ["Date"] });
    expect(await store.get("token", "a")).toBe("2");
    await store.deleteGroup("token", "new");
    expect(await store.get("token", "a")).toBeUndefined();
  });

  it("takes a value once", async () => {
    await store.set("code", "a", "1");
    const taken = await Promise.all([1, 2, 3].map(async () => store.take("code", "a")));
    expect(taken.filter((value) => value !== undefined)).toEqual(["1"]);
    expect(await store.get("code", "a")).toBeUndefined();
    expect(await store.take("code", "never")).toBeUndefined();
  });

  it("deletes a value, and one that does not exist", async () => {
    await store.set("code", "a", "1");
    await store.delete("code", "a");
    await store.delete("code", "a");
    await store.delete("none", "a");
    expect(await store.get("code", "a")).toBeUndefined();
  });

  it("deletes the values of one group of one kind", async () => {
    await store.set("token", "a", "1", undefined, "g");
    await store.set("token", "b", "2", undefined, "g");
    await store.set("token", "c", "3", undefined, "h");
    await store.set("token", "d", "4");
    await store.set("code", "a", "5", undefined, "g");
    await store.deleteGroup("token", "g");
    await store.deleteGroup("none", "g");
    expect(await store.count("token")).toBe(2);
    expect(await store.get("token", "c")).toBe("3");
    expect(await store.get("code", "a")).toBe("5");
  });

  it("ends values at their time, for all calls", async () => {
    vi.useFakeTimers({ now: 1_900_000_000_000, toFake: ["Date"] });
    await store.set("code", "a", "1", Date.now() + 1_000);
    await store.set("code", "b", "2", Date.now() + 2_000);
    await store.set("code", "c", "3", Infinity);
    await store.set("code", "d", "4", Date.now() - 1);
    expect(await store.get("code", "d")).toBeUndefined();
    expect(await store.count("code")).toBe(3);
    vi.setSystemTime(Date.now() + 1_000);
    expect(await store.get("code", "a")).toBeUndefined();
    expect(await store.take("code", "a")).toBeUndefined();
    expect(await store.get("code", "b")).toBe("2");
    expect(await store.count("code")).toBe(2);
    vi.setSystemTime(Date.now() + 1_000);
    expect(await store.take("code", "b")).toBeUndefined();
    expect(await store.count("code")).toBe(1);
  });

  it("sets an expired value again", async () => {
    vi.useFakeTimers({ now: 1_900_000_000_000, toFake: ["Date"] });
    await store.set("code", "a", "1", Date.now() + 1_000);
    vi.setSystemTime(Date.now() + 5_000);
    await store.set("code", "a", "2", Date.now() + 1_000);
    expect(await store.get("code", "a")).toBe("2");
  });

  it("keeps many values and deletes the expired ones", async () => {
    vi.useFakeTimers({ now: 1_900_000_000_000, toFake: ["Date"] });
    for (let at = 0; at < 1_000; at++) await store.set("code", `${at}`, "1", Date.now() + 1_000 + at);
    vi.setSystemTime(Date.now() + 1_500);
    for (let at = 0; at < 1_000; at++) await store.set("token", `${at}`, "1");
    expect(await store.count("code")).toBe(499);
    expect(await store.count("token")).toBe(1_000);
  });
});

describe("MemoryProxyStore", () => {
  it("keeps the newest values of each kind", () => {
    const store = new MemoryProxyStore({ maxValuesPerKind: 2 });
    store.set("grant", "z", "0");
    for (const id of ["a", "b", "c"]) store.set("code", id, id, undefined, "g");
    expect(store.count("code")).toBe(2);
    expect(["a", "b", "c"].map((id) => store.get("code", id))).toEqual([undefined, "b", "c"]);
    expect(store.get("grant", "z")).toBe("0");
  });

  it("deletes expired values first", () => {
    const store = new MemoryProxyStore({ maxValuesPerKind: 2 });
    vi.useFakeTimers({ now: 1_900_000_000_000, toFake: ["Date"] });
    store.set("code", "old", "1");
    store.set("code", "short", "2", Date.now() + 10);
    vi.setSystemTime(Date.now() + 10);
    store.set("code", "new", "3");
    vi.useRealTimers();
    expect(["old", "short", "new"].map((id) => store.get("code", id))).toEqual(["1", undefined, "3"]);
  });

  it("counts a value that is set again once", () => {
    const store = new MemoryProxyStore({ maxValuesPerKind: 2 });
    store.set("code", "a", "1");
    store.set("code", "b", "2");
    store.set("code", "b", "3");
    expect(store.get("code", "a")).toBe("1");
  });

  it.each([0, -1, Number.NaN])("rejects the limit %s", (maxValuesPerKind) => {
    expect(() => new MemoryProxyStore({ maxValuesPerKind })).toThrow(/maxValuesPerKind must be 1 or more/);
  });
});
