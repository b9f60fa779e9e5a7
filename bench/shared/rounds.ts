import { median } from "../validators/figures.js";

/** The samples of one round, by the subject's key. */
export type Samples = ReadonlyMap<string, readonly number[]>;

/** Runs all subjects in turns, in a random order in each round, so that no subject always follows the same one. */
export async function inTurns<Subject>(
  subjects: readonly Subject[],
  rounds: number,
  turn: (subject: Subject, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const order = subjects.map((subject) => ({ subject, key: Math.random() })).sort((a, b) => a.key - b.key);
    for (const { subject } of order) await turn(subject, round);
  }
}

/** A median with minimum and maximum. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spreadOf(samples: readonly number[]): Spread {
  return { median: median(samples), least: Math.min(...samples), most: Math.max(...samples) };
}

/** Ratios within each round: slowdowns of the whole machine cancel out. */
export function ratios(samples: readonly number[], base: readonly number[]): Spread {
  return spreadOf(samples.map((sample, round) => sample / (base[round] ?? NaN)));
}

export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
}
