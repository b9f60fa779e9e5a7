import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  SqliteTaskStore,
  type SqliteTaskStoreOptions,
} from "../../../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { TaskStoreError } from "../../../../runtime/src/tasks/task-store-error.js";
import type { SqliteDatabase, SqliteValue } from "../../../../runtime/src/sqlite/sqlite-database.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { databases } from "../../sqlite/open-database.js";
import { ada, newTask, request } from "../new-task.js";

const big = { text: "x".repeat(200_000) };

async function failureOf(work: () => unknown): Promise<TaskStoreError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof TaskStoreError) return error;
    throw error;
  }
  throw new Error("did not throw");
}

it.each([undefined, null, "tasks.db", {}, { exec: 1, prepare: 2 }])("rejects %j as a database", (database) => {
  expect(() => new SqliteTaskStore(database as unknown as SqliteDatabase)).toThrow(/pass an open database/);
});

describe.each(databases)("a database of %s in trouble", (_name, openDatabase) => {
  let path: string;
  const opened: { close(): unknown }[] = [];

  beforeEach(() => {
    path = join(temporaryFolder("tasks"), "tasks.db");
  });

  afterEach(() => {
    for (const one of opened.splice(0)) one.close();
  });

  function open(options?: SqliteTaskStoreOptions, database = openDatabase(path)): SqliteTaskStore {
    const store = new SqliteTaskStore(database, options);
    opened.push(store);
    return store;
  }

  it("is opened again", async () => {
    const first = new SqliteTaskStore(openDatabase(path));
    await first.create(newTask("t"), request);
    first.close();
    const second = open();
    expect([second.get("t", ada), second.getRequest("t", ada)]).toEqual([newTask("t"), request]);
  });

  it("is not a database", async () => {
    await writeFile(path, "not a database at all, but long enough to have a header".repeat(100));
    const before = await readFile(path);
    const failure = await failureOf(() => open());
    expect(failure).toMatchObject({ code: "STORE_FAILED", reason: "corrupt" });
    expect(failure.message).toContain("its tasks are then lost");
    expect(await readFile(path)).toEqual(before);
  });

  it("is damaged", async () => {
    const store = new SqliteTaskStore(openDatabase(path));
    await Promise.all(
      Array.from({ length: 200 }, async (_, at) => store.create(newTask(`${at}`, { result: big }), request)),
    );
    store.close();
    const bytes = await readFile(path);
    bytes.fill(0x5a, 4_096 * 12, bytes.length - 4_096);
    await writeFile(path, bytes);
    const failure = await failureOf(async () => {
      const damaged = open();
      for (let at = 0; at < 200; at++) damaged.get(`${at}`, ada);
      await damaged.create(newTask("new"), request);
    });
    expect(failure.reason).toBe("corrupt");
  });

  it("belongs to another program", async () => {
    const other = openDatabase(path);
    other.exec("CREATE TABLE notes (text TEXT)");
    other.close();
    const failure = await failureOf(() => open());
    expect(failure).toMatchObject({ reason: "wrong-schema" });
    expect(failure.message).toMatch(/another program; choose a file of its own for the server/);
  });

  it("has a newer schema", async () => {
    new SqliteTaskStore(openDatabase(path)).close();
    const newer = openDatabase(path);
    newer.exec("PRAGMA user_version = 99");
    newer.close();
    const before = await readFile(path);
    expect((await failureOf(() => open())).message).toMatch(
      /version 99, and this version of the package reads 1; update/,
    );
    expect(await readFile(path)).toEqual(before);
  });

  it("is read-only", async () => {
    const writer = open();
    await writer.create(newTask("t"), request);
    const reader = openDatabase(path, { readOnly: true });
    opened.push(reader);
    expect(await failureOf(() => new SqliteTaskStore(reader))).toMatchObject({ reason: "read-only" });
  });

  it("becomes read-only: changes fail, reading goes on", async () => {
    const database = openDatabase(path);
    const store = open({}, database);
    await store.create(newTask("t"), request);
    database.exec("PRAGMA query_only = ON");
    for (const work of [
      async () => store.create(newTask("u"), request),
      async () => store.update(newTask("t", { version: 2 })),
      async () => store.delete("t", ada),
      async () => store.heartbeat("w1", 1_000),
    ])
      expect(await failureOf(work)).toMatchObject({ reason: "read-only" });
    expect(store.get("t", ada)).toEqual(newTask("t"));
    database.exec("PRAGMA query_only = OFF");
    expect(await store.update(newTask("t", { version: 2 }))).toBe(true);
  });

  it("is full: only what has no room fails, and nothing is half-written", async () => {
    const database = openDatabase(path);
    const store = open({}, database);
    await store.create(newTask("kept"), request);
    const { page_count: pages } = database.prepare("PRAGMA page_count").get() as { readonly page_count: number };
    database.exec(`PRAGMA max_page_count = ${pages + 8}`);
    const results = await Promise.allSettled([
      store.create(newTask("small 1"), request),
      store.create(newTask("big"), { ...request, params: big }),
      store.update(newTask("kept", { version: 2, result: big })),
      store.create(newTask("small 2"), request),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(await failureOf(async () => store.create(newTask("big"), { ...request, params: big }))).toMatchObject({
      reason: "full",
      message: "cannot create a task: the disk, the quota or the database is full; free some space",
    });
    expect(["small 1", "small 2", "kept"].map((id) => store.get(id, ada)?.version)).toEqual([1, 1, 1]);
    expect([store.get("big", ada), store.getRequest("big", ada)]).toEqual([undefined, undefined]);
    database.exec("PRAGMA max_page_count = 100000");
    await store.create(newTask("big"), { ...request, params: big });
    expect(store.getRequest("big", ada)?.params).toEqual(big);
  });

  it("is locked by another program: this process goes on, and reads", async () => {
    const store = open({ busyTimeoutMs: 1_000 });
    await store.create(newTask("t"), request);
    const other = openDatabase(path);
    opened.push(other);
    other.exec("BEGIN IMMEDIATE");
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const change = store.update(newTask("t", { version: 2 }));
    expect(store.get("t", ada)?.version).toBe(1);
    const failure = await failureOf(() => change);
    clearInterval(timer);
    expect(failure.reason).toBe("busy");
    expect(failure.message).toContain("raise busyTimeoutMs");
    expect(turns).toBeGreaterThan(1);
    const later = store.update(newTask("t", { version: 2, statusMessage: "waited" }));
    setTimeout(() => other.exec("COMMIT"), 50);
    expect(await later).toBe(true);
  });

  it("is closed: calls that wait are stored, later ones fail", async () => {
    const store = new SqliteTaskStore(openDatabase(path));
    const waiting = store.create(newTask("t"), request);
    store.close();
    await waiting;
    for (const work of [
      () => store.get("t", ada),
      () => store.getRequest("t", ada),
      () => store.list({ owner: ada, revision: "", cursor: undefined, limit: 1 }),
      () => store.claimAbandoned("w2", 1),
      () => store.create(newTask("u"), request),
      () => store.update(newTask("t", { version: 2 })),
      () => store.delete("t", ada),
      () => store.heartbeat("w1", 1_000),
      () => store.retire("w1"),
    ])
      expect(await failureOf(work)).toMatchObject({ reason: "closed" });
    expect(open().get("t", ada)).toEqual(newTask("t"));
  });

  it("is closed behind the store: the work in the background is reported once, and ends", async () => {
    const database = openDatabase(path);
    let isOpen = true;
    const errors: unknown[] = [];
    const prepare = (sql: string) => {
      const statement = database.prepare(sql);
      return {
        get(...values: SqliteValue[]) {
          // Statements of libsql go on after the database was closed.
          if (!isOpen) throw new TypeError("The database connection is not open");
          return statement.get(...values);
        },
        run: statement.run.bind(statement),
        all: statement.all.bind(statement),
      };
    };
    const store = new SqliteTaskStore(
      { exec: (sql) => database.exec(sql), prepare, close: () => database.close() },
      { pollIntervalMs: 10, onerror: (error) => errors.push(error) },
    );
    store.subscribe(() => undefined);
    isOpen = false;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(errors).toMatchObject([{ reason: "closed" }]);
    database.close();
  });
});

describe.each(databases)("the commits of a database of %s", (_name, openDatabase) => {
  it("contain all changes of a turn of the event loop", async () => {
    const path = join(temporaryFolder("tasks"), "tasks.db");
    const database = openDatabase(path);
    const executed: string[] = [];
    const store = new SqliteTaskStore({
      exec: (sql) => (executed.push(sql), database.exec(sql)),
      prepare: (sql) => database.prepare(sql),
      close: () => database.close(),
    });
    const other = new SqliteTaskStore(openDatabase(path));
    executed.length = 0;
    const resolved: boolean[] = [];
    await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const created = store.create(newTask(`${at}`), request);
        resolved.push(other.get(`${at}`, ada) !== undefined);
        await created;
        resolved.push(other.get(`${at}`, ada) !== undefined);
      }),
    );
    expect(executed).toEqual(["BEGIN IMMEDIATE", "COMMIT"]);
    expect(resolved).toEqual([...Array<boolean>(100).fill(false), ...Array<boolean>(100).fill(true)]);
    expect(database.prepare("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "wal" });
    expect(database.prepare("PRAGMA synchronous").get()).toMatchObject({ synchronous: 2 });
    store.close();
    other.close();
  });
});
