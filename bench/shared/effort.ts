import { quick } from "./results.js";

/** How long something is measured. */
export interface Effort {
  readonly rounds: number;
  /** In how many turns each subject's sample of a round is taken. */
  readonly slices: number;
  /** CPU milliseconds that one slice of a subject takes. */
  readonly sliceMs: number;
  /** CPU milliseconds of warming up. */
  readonly warmUpMs: number;
}

/** How many calls a slice has when so many took so long; `least`, so that all that are in flight have their turn. */
export function callsOf(sliceMs: number, calls: number, cpuMs: number, least = 100): number {
  return Math.min(10_000, Math.max(least, Math.round((calls * sliceMs) / cpuMs)));
}

export const effort: Effort = quick
  ? { rounds: 3, slices: 3, sliceMs: 20, warmUpMs: 150 }
  : { rounds: 11, slices: 10, sliceMs: 20, warmUpMs: 2_500 };
