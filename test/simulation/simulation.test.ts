import { expect, test } from "vitest";
import { runSeed } from "./run-seed.js";

const seeds = Array.from({ length: 12 }, (_, at) => at + 1);

test("nothing is violated", async () => {
  for (const seed of seeds) expect([seed, (await runSeed(seed)).violations]).toEqual([seed, []]);
});

test("the same seed has the same course, also after other seeds", async () => {
  const digests = new Map<number, string>();
  for (const seed of seeds) digests.set(seed, (await runSeed(seed)).digest);
  for (const seed of seeds.toReversed())
    expect([seed, (await runSeed(seed, true)).digest]).toEqual([seed, digests.get(seed)]);
  expect(new Set(digests.values()).size).toBe(seeds.length);
});
