import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CountedKeys } from "../../../runtime/src/rate-limits/counted-keys.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

test("admits as many keys as allowed, and the known ones again", () => {
  const keys = new CountedKeys(2);
  expect(["a", "b", "c", "a", "b"].map((key) => keys.admit(key))).toEqual([true, true, false, true, true]);
});

test.each([
  ["has expired", 1_000, 1_001, true],
  ["has not expired", 1_000, 999, false],
  ["never expires", -1, 1e9, false],
])("a key that %s makes room: %s ms, after %s ms", (_, ms, later, isAdmitted) => {
  const keys = new CountedKeys(1);
  keys.admit("a");
  keys.keep("a", ms);
  vi.advanceTimersByTime(later);
  expect(keys.admit("b")).toBe(isAdmitted);
  expect(keys.size).toBe(1);
});

test("keys whose limiter never responds give way after a minute", () => {
  const keys = new CountedKeys(1);
  keys.admit("a");
  vi.advanceTimersByTime(59_000);
  expect(keys.admit("b")).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(keys.admit("b")).toBe(true);
});

test("does not keep a key that was not admitted", () => {
  const keys = new CountedKeys(0);
  expect(keys.admit("a")).toBe(false);
  keys.keep("a", 1_000);
  expect(keys.size).toBe(0);
});
