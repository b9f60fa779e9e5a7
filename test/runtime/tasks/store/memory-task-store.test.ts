import { afterEach, describe, expect, it, vi } from "vitest";
import { MemoryTaskStore } from "../../../../runtime/src/tasks/store/memory-task-store.js";
import { newTask, request } from "../new-task.js";

afterEach(() => void vi.useRealTimers());

describe("MemoryTaskStore", () => {
  it("releases the memory of expired tasks without a call", () => {
    vi.useFakeTimers();
    const store = new MemoryTaskStore();
    const expired: string[] = [];
    for (let at = 0; at < 1_000; at++) store.create(newTask(`${at}`, { ttlMs: 1_000 + at }), request);
    store.create(newTask("forever", { owner: null }), request);
    store.subscribe((id) => void expired.push(id));
    vi.advanceTimersByTime(4_000);
    expect(expired).toHaveLength(1_000);
    expect(store.get("forever", null)?.id).toBe("forever");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("has one timer for all tasks", () => {
    vi.useFakeTimers();
    const store = new MemoryTaskStore();
    for (let at = 0; at < 1_000; at++) store.create(newTask(`${at}`, { ttlMs: 60_000 + at }), request);
    expect(vi.getTimerCount()).toBe(1);
  });

  it.each([0, -1, Number.NaN])("rejects the limit %s", (maxTasks) => {
    expect(() => new MemoryTaskStore({ maxTasks })).toThrow(/maxTasks must be 1 or more/);
  });
});
