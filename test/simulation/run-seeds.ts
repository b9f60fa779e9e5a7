import { describeFailure } from "./describe-failure.js";
import { runSeed } from "./run-seed.js";

export interface Summary {
  readonly seeds: number;
  readonly failed: readonly number[];
  readonly events: number;
  readonly cpuMs: number;
}

/** The most failures that are described. */
const maxDescribed = 5;

/** Runs several simulations, one after the other. @param report receives the description of a failed one */
export async function runSeeds(from: number, count: number, report: (text: string) => void): Promise<Summary> {
  const before = process.cpuUsage();
  const failed: number[] = [];
  let events = 0;
  for (let seed = from; seed < from + count; seed++) {
    const outcome = await runSeed(seed);
    events += outcome.events;
    if (outcome.violations.length === 0) continue;
    failed.push(seed);
    if (failed.length <= maxDescribed) report(describeFailure(await runSeed(seed, true)));
    else report(`seed ${seed} failed: ${outcome.violations.join("; ")}`);
  }
  const { user, system } = process.cpuUsage(before);
  return { seeds: count, failed, events, cpuMs: (user + system) / 1_000 };
}
