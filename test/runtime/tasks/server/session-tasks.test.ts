/** What a session of 2025-11-25 remembers of its tasks. */
import { expect, test, vi } from "vitest";
import type { CoreQuestions } from "../../../../runtime/src/tasks/server/core-questions.js";
import { SessionTasks } from "../../../../runtime/src/tasks/server/session-tasks.js";
import { MemoryTaskStore } from "../../../../runtime/src/tasks/store/memory-task-store.js";
import { newTask, request } from "../../../../runtime/src/testing/task-store/task-store-behaviour.js";

test("tasks that are gone are forgotten, also when the store does not report their end", async () => {
  const store = new MemoryTaskStore();
  vi.spyOn(store, "subscribe").mockReturnValue(() => undefined);
  const withdrawn: string[] = [];
  const questions = { runner: { store }, withdraw: (id: string) => withdrawn.push(id) };
  const tasks = new SessionTasks(questions as unknown as CoreQuestions, {} as never);
  const kept: string[] = [];
  for (let at = 0; at < 2_000; at++) {
    const record = newTask(`${at}`);
    store.create(record, request);
    tasks.add(record);
    if (at % 100 === 0) kept.push(record.id);
    else store.delete(record.id, record.owner);
    await new Promise(setImmediate);
  }
  const { ids } = tasks.page(undefined, 5_000);
  expect(ids.length).toBeLessThan(300);
  expect(ids).toEqual(expect.arrayContaining(kept));
  expect(withdrawn).toHaveLength(2_000 - ids.length);
});
