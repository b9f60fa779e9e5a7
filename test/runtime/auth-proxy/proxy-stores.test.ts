import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { MemoryProxyStore } from "../../../runtime/src/auth-proxy/memory-proxy-store.js";
import { openSqliteStore } from "../../../runtime/src/auth-proxy/open-sqlite-store.js";
import { SqliteProxyStore } from "../../../runtime/src/auth-proxy/sqlite-proxy-store.js";
import { BackplaneProxyStore } from "../../../runtime/src/auth-proxy/backplane.js";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { databases, sqlite } from "../sqlite/open-database.js";
import { type OpenStore, ownClock, proxyStoreBehaviours } from "./proxy-store-behaviours.js";

const stores: readonly (readonly [string, boolean, () => OpenStore | Promise<OpenStore>])[] = [
  ["MemoryProxyStore", true, () => ({ store: new MemoryProxyStore(), close: () => undefined })],
  [
    "BackplaneProxyStore",
    true,
    () => ({ store: new BackplaneProxyStore(new MemoryBackplane()), close: () => undefined }),
  ],
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
proxyStoreBehaviours(
  stores.flatMap(([name, exists, open]) => (exists ? [[name, open] as const] : [])),
  ownClock,
);

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
