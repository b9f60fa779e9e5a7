import { expect, test } from "vitest";
import { killProcesses } from "../crashes/kill-processes.js";

test("killed processes lose no task, and end none twice", { timeout: 120_000 }, async () => {
  const outcome = await killProcesses(12);
  expect(outcome.problems).toEqual([]);
  for (const count of [outcome.created, outcome.claimed, outcome.completed, outcome.failed, outcome.cancelled])
    expect(count).toBeGreaterThan(0);
});
