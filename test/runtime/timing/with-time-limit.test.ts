import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withTimeLimit } from "../../../runtime/src/timing/with-time-limit.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const late = (): Error => new Error("late");
const never = new Promise<never>(() => undefined);

describe("withTimeLimit", () => {
  it("passes on what the work returns", async () => {
    await expect(withTimeLimit(Promise.resolve(1), 100, late)).resolves.toBe(1);
  });

  it("passes on what the work throws", async () => {
    await expect(withTimeLimit(Promise.reject(new Error("failed")), 100, late)).rejects.toThrow("failed");
  });

  it("rejects when the time is over, and ignores a later result", async () => {
    let finish: (value: number) => void = () => undefined;
    const work = new Promise<number>((resolve) => (finish = resolve));
    const outcome = expect(withTimeLimit(work, 100, late)).rejects.toThrow("late");
    await vi.advanceTimersByTimeAsync(100);
    finish(1);
    await outcome;
  });

  it("keeps the limits apart", async () => {
    const ended: string[] = [];
    const note = (name: string, ms: number): void => void withTimeLimit(never, ms, late).catch(() => ended.push(name));
    note("long", 300);
    note("short", 100);
    note("medium", 200);
    for (const expected of [["short"], ["short", "medium"], ["short", "medium", "long"]]) {
      await vi.advanceTimersByTimeAsync(100);
      expect(ended).toEqual(expected);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it("needs one timer for all, and ends all of them", async () => {
    const all = Array.from({ length: 100 }, () => withTimeLimit(never, 100, late).catch(() => "ended"));
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(new Set(await Promise.all(all))).toEqual(new Set(["ended"]));
  });

  it("calls late only for work that is late", async () => {
    const spy = vi.fn(late);
    await withTimeLimit(Promise.resolve(), 100, spy);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(spy).not.toHaveBeenCalled();
  });

  it("has no limit with Infinity", async () => {
    const spy = vi.fn(late);
    void withTimeLimit(never, Infinity, spy);
    await vi.advanceTimersByTimeAsync(2 ** 31);
    expect(spy).not.toHaveBeenCalled();
  });
});
