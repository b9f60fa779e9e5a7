import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../runtime/src/auth-proxy/open-sqlite-store.js";
import { ProxyStoreError } from "../../../runtime/src/auth-proxy/proxy-store-error.js";
import type { SqliteDatabase } from "../../../runtime/src/sqlite/sqlite-database.js";
import { SqliteProxyStore } from "../../../runtime/src/auth-proxy/sqlite-proxy-store.js";
import { openDatabase, sqlite } from "../sqlite/open-database.js";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "proxy-store-"));
  path = join(folder, "proxy.db");
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

function failureOf(work: () => unknown): ProxyStoreError {
  try {
    work();
  } catch (error) {
    if (error instanceof ProxyStoreError) return error;
    throw error;
  }
  throw new Error("did not throw");
}

async function failureOfOpening(where: string): Promise<ProxyStoreError> {
  const error: unknown = await openSqliteStore(where).then(
    (store) => {
      store.close();
      return new Error("did not throw");
    },
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProxyStoreError) return error;
  throw error;
}

// node:sqlite is part of Node 22.13 and later.
describe.skipIf(sqlite)("without node:sqlite", () => {
  it("says which database to pass", async () => {
    await expect(openSqliteStore(path)).rejects.toThrow(
      /needs node:sqlite, which Node \S+ does not have \(Node 22\.13 and later do\)\. Update Node, or install better-sqlite3 and pass its database: new SqliteProxyStore\(new Database\(".+proxy\.db"\)\)/,
    );
  });
});

describe("SqliteProxyStore", () => {
  it.each([undefined, null, "proxy.db", {}, { exec: 1, prepare: 2 }])("rejects %j as a database", (database) => {
    expect(() => new SqliteProxyStore(database as unknown as SqliteDatabase)).toThrow(/pass an open database/);
  });

  it("maps the codes of better-sqlite3", () => {
    const cases = [
      ["SQLITE_FULL", "full"],
      ["SQLITE_READONLY_DBMOVED", "read-only"],
      ["SQLITE_BUSY_SNAPSHOT", "busy"],
      ["SQLITE_CORRUPT_VTAB", "corrupt"],
      ["SQLITE_NOTADB", "corrupt"],
      ["SQLITE_IOERR_READ", "unavailable"],
      ["SQLITE_CANTOPEN", "unavailable"],
      ["SQLITE_MISUSE", "unknown"],
    ] as const;
    for (const [code, reason] of cases) {
      const fail = (): never => {
        throw Object.assign(new Error("failed"), { code });
      };
      const database = { exec: fail, prepare: fail, close: fail };
      expect(failureOf(() => new SqliteProxyStore(database)).reason).toBe(reason);
    }
    const closed = (): never => {
      throw new TypeError("The database connection is not open");
    };
    expect(failureOf(() => new SqliteProxyStore({ exec: closed, prepare: closed, close: closed })).reason).toBe(
      "closed",
    );
  });
});

describe.runIf(sqlite)("a database in trouble", () => {
  it("is created for this user only", async () => {
    const store = await openSqliteStore(path);
    store.set("code", "a", "1");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(`${path}-wal`)).mode & 0o777).toBe(0o600);
    store.close();
  });

  it("survives a restart", async () => {
    const first = await openSqliteStore(path);
    first.set("code", "a", "1", Date.now() + 60_000, "g");
    first.close();
    const second = await openSqliteStore(path);
    expect(second.get("code", "a")).toBe("1");
    second.deleteGroup("code", "g");
    expect(second.count("code")).toBe(0);
    second.close();
  });

  it("is not a database", async () => {
    await writeFile(path, "not a database at all, but long enough to have a header".repeat(100));
    const before = await readFile(path);
    expect(await failureOfOpening(path)).toMatchObject({ reason: "corrupt", code: "STORE_FAILED" });
    expect(await readFile(path)).toEqual(before);
  });

  it("is damaged", async () => {
    const store = await openSqliteStore(path);
    for (let at = 0; at < 500; at++) store.set("code", `${at}`, "x".repeat(500));
    store.close();
    const bytes = await readFile(path);
    bytes.fill(0x5a, 4_096, bytes.length - 4_096);
    await writeFile(path, bytes);
    const failure = await openSqliteStore(path).then(
      (damaged) => {
        const found = failureOf(() => Array.from({ length: 500 }, (_, at) => damaged.get("code", `${at}`)));
        damaged.close();
        return found;
      },
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ reason: "corrupt" });
  });

  it("belongs to another program", async () => {
    const other = openDatabase(path);
    other.exec("CREATE TABLE notes (text TEXT)");
    other.close();
    const failure = await failureOfOpening(path);
    expect(failure).toMatchObject({ reason: "wrong-schema" });
    expect(failure.message).toContain("belongs to another program");
  });

  it("has a newer schema", async () => {
    (await openSqliteStore(path)).close();
    const newer = openDatabase(path);
    newer.exec("PRAGMA user_version = 99");
    newer.close();
    expect((await failureOfOpening(path)).message).toMatch(/version 99, and this version of the package reads 1/);
  });

  it("is a folder, or in no folder", async () => {
    expect(await failureOfOpening(folder)).toMatchObject({ reason: "unavailable" });
    expect(await failureOfOpening(join(folder, "none", "proxy.db"))).toMatchObject({ reason: "unavailable" });
  });

  it.skipIf(process.getuid?.() === 0)("cannot be read", async () => {
    (await openSqliteStore(path)).close();
    await chmod(path, 0o000);
    expect(await failureOfOpening(path)).toMatchObject({ reason: "unavailable" });
  });

  it("is full: nothing is half-written, and reading goes on", () => {
    const database = openDatabase(path);
    const store = new SqliteProxyStore(database);
    store.set("code", "kept", "1", undefined, "g");
    const { page_count: pages } = database.prepare("PRAGMA page_count").get() as { page_count: number };
    database.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const big = "x".repeat(100_000);
    const failure = failureOf(() => store.set("code", "big", big));
    expect(failure).toMatchObject({ reason: "full" });
    expect(failure.message).toContain("free some space");
    expect(failureOf(() => store.set("code", "kept", big))).toMatchObject({ reason: "full" });
    expect(store.get("code", "kept")).toBe("1");
    expect(store.get("code", "big")).toBeUndefined();
    expect(store.count("code")).toBe(1);
    expect(store.take("code", "kept")).toBe("1");
    database.exec("PRAGMA max_page_count = 100000");
    store.set("code", "big", big);
    expect(store.get("code", "big")).toBe(big);
    store.close();
  });

  it("is full when it is opened", () => {
    const database = openDatabase(path);
    database.exec("PRAGMA max_page_count = 1");
    expect(failureOf(() => new SqliteProxyStore(database))).toMatchObject({ reason: "full" });
    database.exec("PRAGMA max_page_count = 100000");
    new SqliteProxyStore(database).close();
  });

  it("is read-only", async () => {
    const writer = await openSqliteStore(path);
    writer.set("code", "a", "1");
    const reader = openDatabase(path, { readOnly: true });
    expect(failureOf(() => new SqliteProxyStore(reader))).toMatchObject({ reason: "read-only" });
    reader.close();
    writer.close();
  });

  it("is closed", async () => {
    const store = await openSqliteStore(path);
    store.close();
    for (const work of [
      () => store.get("code", "a"),
      () => store.set("code", "a", "1"),
      () => store.take("code", "a"),
      () => store.delete("code", "a"),
      () => store.deleteGroup("code", "g"),
      () => store.count("code"),
      () => store.close(),
    ])
      expect(failureOf(work)).toMatchObject({ reason: "closed" });
  });

  it("is locked by another program", async () => {
    const other = openDatabase(path);
    const store = new SqliteProxyStore(openDatabase(path), { busyTimeoutMs: 20 });
    store.set("code", "a", "1");
    other.exec("BEGIN IMMEDIATE");
    const failure = failureOf(() => store.set("code", "a", "2"));
    expect(failure).toMatchObject({ reason: "busy" });
    expect(failure.message).toContain("busyTimeoutMs");
    expect(store.get("code", "a")).toBe("1");
    other.exec("COMMIT");
    store.set("code", "a", "2");
    other.close();
    store.close();
    expect((await stat(path)).size).toBeGreaterThan(0);
  });

  it("is shared by several processes, each of which takes other values", async () => {
    const store = await openSqliteStore(path);
    for (let at = 0; at < 200; at++) store.set("code", `${at}`, `${at}`);
    const script = join(import.meta.dirname, "take-all.ts");
    const runs = await Promise.all(
      [1, 2].map(() => promisify(execFile)(process.execPath, ["--import", "tsx", script, path, "200"])),
    );
    const taken = runs.map(({ stdout }) => JSON.parse(stdout) as string[]);
    expect(taken.flat().sort()).toEqual(Array.from({ length: 200 }, (_, at) => `${at}`).sort());
    expect(store.count("code")).toBe(0);
    expect(store.count("taken")).toBe(200);
    store.close();
  });

  it("is created by several processes at the same time", async () => {
    const script = join(import.meta.dirname, "take-all.ts");
    const runs = await Promise.all(
      [1, 2, 3].map(() => promisify(execFile)(process.execPath, ["--import", "tsx", script, path, "3"])),
    );
    expect(runs.map(({ stdout }) => stdout)).toEqual(["[]", "[]", "[]"]);
  });
});
