import { expect, test } from "vitest";
import { killStores } from "../crashes/kill-stores.js";

test("killed processes lose no task, and end none twice", { timeout: 120_000 }, async () => {
  const outcome = await killStores(12);
  expect(outcome.problems).toEqual([]);
  for (const count of [outcome.claimed, outcome.completed, outcome.failed, outcome.cancelled])
    expect(count).toBeGreaterThan(0);
});
