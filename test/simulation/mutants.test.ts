import { expect, test } from "vitest";
import { mutants } from "./mutants.js";
import { runSeed } from "./run-seed.js";

/** The most seeds that it takes to find a mutant. */
const patience = 25;
/** Where to begin, for mutants that few seeds find: they show only when clients do several things at the same time, or use an ended session. */
const from: Readonly<Record<string, number>> = { IgnoresVersions: 680, KeepsDeletedSessions: 50 };
/** The violations by which mutants of one part are found. Others change so much that any may be the first. */
const expected: Readonly<Record<string, RegExp>> = {
  DoublesChanges: /gets \d+ changes of .*, of which there were \d+$/,
  DoublesSsePosts: /gets the response to another request|gets a second response/,
  ForgetsLevels: /although the level is|has got 0 of \d debug messages/,
  IgnoresOwners: /in the session of c\d/,
  ShortensBatches: /ends without its response|gets no response/,
};

test.each(mutants)("%s is found", async (name, subject) => {
  const { [name]: first = 1 } = from;
  // Timers of other mutants may be left.
  const { [name]: pattern = /^(?!.*timers are left)/ } = expected;
  const found: string[] = [];
  for (let seed = first; seed < first + patience && found.length === 0; seed++)
    found.push(...(await runSeed(seed, false, subject)).violations.filter((one) => pattern.test(one)));
  expect(found).not.toEqual([]);
  expect(found[0]).not.toContain("the simulation failed");
});
