import { quick } from "./results.js";

/** How long something is measured. */
export interface Effort {
  readonly rounds: number;
  /** CPU milliseconds that one sample of a subject takes. */
  readonly sampleMs: number;
  /** CPU milliseconds of warming up. */
  readonly warmUpMs: number;
}

export const effort: Effort = quick
  ? { rounds: 3, sampleMs: 60, warmUpMs: 150 }
  : { rounds: 11, sampleMs: 200, warmUpMs: 800 };
