import type { Target } from "../target.js";

/** A gateway that a client tries, and the server behind it. */
export interface CellTarget extends Target {
  /** The revision of the server. */
  readonly serverRevision: string;
  /** The features that are expected to be lost. */
  readonly lost: readonly string[];
}
