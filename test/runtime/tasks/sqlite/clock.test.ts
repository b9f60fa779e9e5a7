import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { SqliteTaskStore } from "../../../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { MemoryTaskStore } from "../../../../runtime/src/tasks/store/memory-task-store.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { databases } from "../../sqlite/open-database.js";
import { ada, newTask, request } from "../new-task.js";

const hourMs = 3_600_000;
const start = 1_900_000_000_000;
const query = { owner: ada, revision: "2026-07-28", cursor: undefined, limit: 10 };

afterEach(() => void vi.useRealTimers());

/** Sets the clock of the system. The monotonic clock continues. */
function setSystemClock(time: number): void {
  vi.useFakeTimers({ now: time, toFake: ["Date"] });
}

/** Lets time pass for both clocks. */
function startClocks(): void {
  vi.useFakeTimers({ now: start, toFake: ["Date", "performance"] });
}

it("does not end tasks of MemoryTaskStore when the clock of the system jumps", () => {
  const store = new MemoryTaskStore();
  for (const [at, time] of [start, start + 24 * hourMs, start - 24 * hourMs].entries()) {
    setSystemClock(time);
    store.create(newTask(`${at}`, { ttlMs: hourMs }), request);
  }
  expect(store.list(query).records.map(({ id }) => id)).toEqual(["0", "1", "2"]);
});

describe.each(databases)("the clock of a database of %s", (_name, openDatabase) => {
  const open = (path: string): SqliteTaskStore => new SqliteTaskStore(openDatabase(path));
  const newPath = (): string => join(temporaryFolder("tasks"), "tasks.db");
  const ids = (store: SqliteTaskStore): string[] => store.list(query).records.map(({ id }) => id);

  it("does not follow jumps of the system's clock while a process runs", async () => {
    const store = open(newPath());
    for (const [at, time] of [start, start + 24 * hourMs, start - 24 * hourMs].entries()) {
      setSystemClock(time);
      await store.create(newTask(`${at}`, { ttlMs: hourMs }), request);
    }
    expect(ids(store)).toEqual(["0", "1", "2"]);
    store.close();
  });

  it("does not go back when a process starts after the system's clock was set back", async () => {
    const path = newPath();
    startClocks();
    const first = open(path);
    await first.create(newTask("short", { ttlMs: 1_000 }), request);
    await first.create(newTask("long", { ttlMs: hourMs }), request);
    vi.advanceTimersByTime(2_000);
    await first.heartbeat("w1", 1_000);
    expect(ids(first)).toEqual(["long"]);
    first.close();
    setSystemClock(start - 24 * hourMs);
    const second = open(path);
    await second.create(newTask("new", { ttlMs: 60_000 }), request);
    expect(ids(second)).toEqual(["long", "new"]);
    second.close();
  });

  it("catches up when a process starts later", async () => {
    const path = newPath();
    setSystemClock(start);
    const first = open(path);
    await first.create(newTask("short", { ttlMs: 1_000 }), request);
    await first.create(newTask("long", { ttlMs: hourMs }), request);
    first.close();
    setSystemClock(start + 10_000);
    const second = open(path);
    expect(ids(second)).toEqual(["long"]);
    second.close();
  });

  it("is the same in processes that started before and after a jump", async () => {
    const path = newPath();
    setSystemClock(start);
    const before = open(path);
    setSystemClock(start + 8 * hourMs);
    const after = open(path);
    await after.create(newTask("1", { ttlMs: hourMs }), request);
    await before.create(newTask("2", { ttlMs: hourMs }), request);
    await after.create(newTask("3", { ttlMs: hourMs }), request);
    for (const store of [before, after]) expect(ids(store)).toEqual(["1", "2", "3"]);
    before.close();
    after.close();
  });

  it("does not end the lease of a living worker when it jumps", async () => {
    const path = newPath();
    setSystemClock(start);
    const before = open(path);
    await before.heartbeat("w1", 60_000);
    await before.create(newTask("t"), request);
    setSystemClock(start + 8 * hourMs);
    const after = open(path);
    for (let at = 0; at < 10; at++) expect(await after.claimAbandoned("w2", 10)).toEqual([]);
    before.close();
    after.close();
  });
});
