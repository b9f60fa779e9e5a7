import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WriteWatch } from "../../../runtime/src/http-server/write-watch.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class Slow {
  progress: number | undefined = 0;
  cuts = 0;

  cut(): void {
    this.cuts++;
  }
}

const seconds = (count: number): unknown => vi.advanceTimersByTime(count * 1_000);

test("cuts a response of which nothing is taken for the time", () => {
  const watch = new WriteWatch(60_000);
  const [stuck, slow, done] = [new Slow(), new Slow(), new Slow()];
  for (const response of [stuck, slow, done]) watch.watch(response);
  done.progress = undefined;
  for (let passed = 0; passed < 55; passed += 5) {
    slow.progress = passed;
    seconds(5);
    watch.watch(stuck);
  }
  expect([stuck.cuts, slow.cuts, done.cuts]).toEqual([0, 0, 0]);
  seconds(25);
  expect([stuck.cuts, slow.cuts, done.cuts]).toEqual([1, 0, 0]);
  seconds(60);
  expect([stuck.cuts, slow.cuts, done.cuts]).toEqual([1, 1, 0]);
});

test("watches a response again that had been taken", () => {
  const watch = new WriteWatch(1_000);
  const response = new Slow();
  watch.watch(response);
  response.progress = undefined;
  seconds(1);
  watch.watch(response);
  response.progress = 5;
  watch.watch(response);
  seconds(2);
  expect(response.cuts).toBe(1);
});

test("holds nothing of a response whose connection has closed", () => {
  const watch = new WriteWatch(1_000);
  const response = new Slow();
  expect(watch.watch(response)).toBe(true);
  expect(watch.watch(response)).toBe(false);
  watch.forget(response);
  seconds(5);
  expect(response.cuts).toBe(0);
  expect(watch.watch(response)).toBe(true);
});

test.each([0, Infinity])("never cuts with %s", (timeoutMs) => {
  const watch = new WriteWatch(timeoutMs);
  const response = new Slow();
  watch.watch(response);
  seconds(1_000_000);
  expect(response.cuts).toBe(0);
});
