import { expect, test } from "vitest";
import { mutants } from "./mutants.js";
import { runSeed } from "./run-seed.js";

/** The most seeds that it takes to find a mutant. */
const patience = 40;

test.each(mutants)("%s is found", async (_name, subject) => {
  const found: string[] = [];
  for (let seed = 1; seed <= patience && found.length === 0; seed++)
    found.push(...(await runSeed(seed, false, subject)).violations);
  expect(found).not.toEqual([]);
  expect(found[0]).not.toContain("the simulation failed");
});
