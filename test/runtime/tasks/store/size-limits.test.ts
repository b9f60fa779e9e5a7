import { afterEach, describe, expect, it } from "vitest";
import { SqliteTaskStore } from "../../../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { MemoryTaskStore } from "../../../../runtime/src/tasks/store/memory-task-store.js";
import type { TaskLimits } from "../../../../runtime/src/tasks/store/task-limits.js";
import type { TaskStore } from "../../../../runtime/src/tasks/task-store.js";
import { openLibsql } from "../../sqlite/open-database.js";
import { ada, newTask, otherAda, request } from "../new-task.js";

const stores: readonly (readonly [string, (limits: TaskLimits) => TaskStore])[] = [
  ["MemoryTaskStore", (limits) => new MemoryTaskStore(limits)],
  ["SqliteTaskStore", (limits) => new SqliteTaskStore(openLibsql(":memory:"), limits)],
];
// Two UTF-16 units each, and one character of SQLite.
const text = "😀".repeat(5_000);
const big = { ...request, params: { text } };
const full = (limit: string) => ({
  reason: "full",
  message: expect.stringContaining(`${limit} (25000) is reached`) as string,
});

describe.each(stores)("the sizes of %s", (_name, open) => {
  let store: TaskStore;

  afterEach(() => {
    if (store instanceof SqliteTaskStore) store.close();
  });

  async function failureOf(work: () => unknown): Promise<unknown> {
    try {
      return await work();
    } catch (error) {
      return error;
    }
  }

  it("are limited for each principal", async () => {
    store = open({ maxSizePerOwner: 25_000 });
    for (const id of ["1", "2"]) await store.create(newTask(id), big);
    expect(await failureOf(() => store.create(newTask("3"), big))).toMatchObject(full("maxSizePerOwner"));
    await store.create(newTask("4", { owner: otherAda }), big);
    await store.delete("1", ada);
    await store.create(newTask("3"), big);
  });

  it("are limited in all, also without owners", async () => {
    store = open({ maxSize: 25_000 });
    for (const id of ["1", "2"]) await store.create(newTask(id, { owner: null }), big);
    expect(await failureOf(() => store.create(newTask("3"), big))).toMatchObject(full("maxSize"));
  });

  it("leave room for the end of a task whose result is too large", async () => {
    store = open({ maxSizePerOwner: 25_000 });
    for (const id of ["1", "2"]) await store.create(newTask(id), big);
    const done = newTask("1", { version: 2, status: "completed", result: { text } });
    expect(await failureOf(() => store.update(done))).toMatchObject(full("maxSizePerOwner"));
    expect((await store.get("1", ada))?.status).toBe("working");
    const error = { code: -32_603, message: "the result is too large" };
    expect(await store.update(newTask("1", { version: 2, status: "failed", error }))).toBe(true);
    await store.delete("2", ada);
    await store.create(newTask("3", { status: "working" }), request);
    expect(await store.update({ ...done, id: "3" })).toBe(true);
  });

  it("count what has changed", async () => {
    store = open({ maxSizePerOwner: 25_000 });
    await store.create(newTask("1"), request);
    const question = { key: "q1", request: { method: "test/ask", params: { text } } };
    expect(await store.update(newTask("1", { version: 2, questions: [question, question] }))).toBe(true);
    expect(await failureOf(() => store.create(newTask("2"), big))).toMatchObject(full("maxSizePerOwner"));
    expect(await store.update(newTask("1", { version: 3 }))).toBe(true);
    await store.create(newTask("2"), big);
  });
});
