import { diff3Merge } from "node-diff3";

export interface MergedText {
  readonly text: string;
  /** Whether there are no conflicts. */
  readonly clean: boolean;
}

/** Longer texts are not merged, because the time grows with the square of the length. */
const maxLength = 500_000;

/**
 * Merges line by line. Where both changed the same lines differently, the text contains both, between git's conflict markers.
 * @param label the name of `theirs` in the markers
 */
export function mergeLines(base: string, yours: string, theirs: string, label: string): MergedText {
  if (yours.length > maxLength) return { text: theirs, clean: false };
  const regions = diff3Merge(yours.split("\n"), base.split("\n"), theirs.split("\n"), { excludeFalseConflicts: true });
  const lines = regions.flatMap(({ ok = [], conflict }) =>
    conflict ? ["<<<<<<< yours", ...conflict.a, "=======", ...conflict.b, `>>>>>>> ${label}`] : ok,
  );
  return { text: lines.join("\n"), clean: regions.every(({ conflict }) => conflict === undefined) };
}
