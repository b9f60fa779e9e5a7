import type { Measured } from "./measure.js";
import { type Contest, control, jsonParse } from "./runners.js";

/** The result of one engine with one message. */
export interface Figure {
  readonly engine: string;
  readonly ns: number;
  /** Interquartile range relative to the median. */
  readonly spread: number;
  /** Time relative to ours in the same round. */
  readonly timesOurs: number;
}

export interface Row extends Pick<Contest, "revision" | "name" | "kind" | "untimed"> {
  readonly valid: readonly Figure[];
  readonly invalid: readonly Figure[];
  /** Our time for a valid message relative to `JSON.parse` of its text. */
  readonly ofJsonParse: number;
  /** Our time for an invalid message relative to the valid one. */
  readonly ofValid: number | undefined;
  /** Difference between our two measurements, relative to the first. */
  readonly noise: number;
}

export function rowOf({ contest, valid, invalid }: Measured, ours: string): Row {
  const { revision, name, kind, untimed } = contest;
  const mine = valid[ours];
  if (!mine) throw new Error(`${ours} ${untimed[ours] ?? "was not timed"}: ${name}`);
  return {
    revision,
    name,
    kind,
    untimed,
    valid: figures(valid, mine),
    invalid: figures(invalid, invalid[ours] ?? []),
    ofJsonParse: medianRatio(mine, valid[jsonParse] ?? []),
    ofValid: invalid[ours] && medianRatio(invalid[ours], mine),
    noise: Math.abs(medianRatio(valid[control] ?? [], mine) - 1),
  };
}

function figures(side: Readonly<Record<string, readonly number[]>>, mine: readonly number[]): readonly Figure[] {
  return Object.entries(side).map(([engine, samples]) => ({
    engine,
    ns: median(samples),
    spread: (quantile(samples, 0.75) - quantile(samples, 0.25)) / median(samples),
    timesOurs: medianRatio(samples, mine),
  }));
}

/** Median of the ratios within each round: slowdowns of the whole machine cancel out. */
function medianRatio(samples: readonly number[], base: readonly number[]): number {
  return median(samples.map((sample, round) => sample / (base[round] ?? NaN)));
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
}
