import { quick } from "./results.js";

/** How long each subject is measured. */
export interface Effort {
  readonly rounds: number;
  /** Number of turns per round and subject. */
  readonly slices: number;
  /** CPU milliseconds of one slice. */
  readonly sliceMs: number;
  /** CPU milliseconds of the warm-up. */
  readonly warmUpMs: number;
}

/** Number of calls per slice, derived from the CPU time of `calls`. `least` ensures that all concurrent calls have a turn. */
export function callsOf(sliceMs: number, calls: number, cpuMs: number, least = 100): number {
  return Math.min(10_000, Math.max(least, Math.round((calls * sliceMs) / cpuMs)));
}

export const effort: Effort = quick
  ? { rounds: 3, slices: 3, sliceMs: 20, warmUpMs: 150 }
  : { rounds: 11, slices: 10, sliceMs: 20, warmUpMs: 2_500 };
