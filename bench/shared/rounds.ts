import { median } from "../validators/figures.js";

/** What one round measured, by the subject's key. */
export type Samples = ReadonlyMap<string, readonly number[]>;

/** Lets all take turns, in another order in each round, so that nobody always follows the same neighbour. */
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

/** Figures with the least and the greatest. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spreadOf(samples: readonly number[]): Spread {
  return { median: median(samples), least: Math.min(...samples), most: Math.max(...samples) };
}

/** Ratios within each round: what slows the whole machine down cancels out. */
export function ratios(samples: readonly number[], base: readonly number[]): Spread {
  return spreadOf(samples.map((sample, round) => sample / (base[round] ?? NaN)));
}

export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
}
