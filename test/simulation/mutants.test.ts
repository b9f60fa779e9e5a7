import { expect, test } from "vitest";
import { mutants } from "./mutants.js";
import { runSeed } from "./run-seed.js";

/** The most seeds that it takes to find a mutant. */
const patience = 25;
/** Where to begin, for mutants that show only when clients do several things at the same time: the first seed that finds them is beyond 100. */
const from: Readonly<Record<string, number>> = { IgnoresVersions: 240, KeepsDeletedSessions: 155 };

test.each(mutants)("%s is found", async (name, subject) => {
  const { [name]: first = 1 } = from;
  const found: string[] = [];
  for (let seed = first; seed < first + patience && found.length === 0; seed++)
    found.push(...(await runSeed(seed, false, subject)).violations);
  expect(found).not.toEqual([]);
  expect(found[0]).not.toContain("the simulation failed");
});
