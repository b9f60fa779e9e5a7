import { expect, test } from "vitest";
import { CallWindow } from "../../../../runtime/src/gateway/limits/call-window.js";

test("counts calls in any sixty seconds", () => {
  const window = new CallWindow(3);
  const takes: readonly (readonly [now: number, wait: number])[] = [
    [0, 0],
    [10_000, 0],
    [20_000, 0],
    [20_000, 40_000],
    [59_999, 1],
    [60_000, 0],
    [60_000, 10_000],
    [70_000, 0],
    [80_000, 0],
    [80_000, 40_000],
    [1_000_000, 0],
    [1_000_000, 0],
    [1_000_000, 0],
    [1_000_000, 60_000],
  ];
  for (const [now, wait] of takes) expect([now, window.take(now)]).toEqual([now, wait]);
});

test("never admits more in a minute", () => {
  const window = new CallWindow(7);
  const admitted: number[] = [];
  for (let now = 0; now < 600_000; now += 997) if (window.take(now) === 0) admitted.push(now);
  for (const start of admitted)
    expect(admitted.filter((time) => time >= start && time < start + 60_000).length).toBeLessThanOrEqual(7);
  expect(admitted).toHaveLength(70);
});

test("without a limit, admits all", () => {
  const window = new CallWindow(Infinity);
  const waits = Array.from({ length: 100_000 }, () => window.take(0));
  expect(waits.every((wait) => wait === 0)).toBe(true);
});
