import { diff3Merge } from "node-diff3";

export interface MergedText {
  readonly text: string;
  /** Nobody has to look at it. */
  readonly clean: boolean;
}

/** Finding what two long texts have in common takes time that grows with its square. */
const maxLength = 500_000;

/**
 * Merges line by line. Where both changed the same lines differently, the text has both, between the markers that git uses.
 * @param label what `theirs` is called there
 */
export function mergeLines(base: string, yours: string, theirs: string, label: string): MergedText {
  if (yours.length > maxLength) return { text: theirs, clean: false };
  const regions = diff3Merge(yours.split("\n"), base.split("\n"), theirs.split("\n"), { excludeFalseConflicts: true });
  const lines = regions.flatMap(({ ok = [], conflict }) =>
    conflict ? ["<<<<<<< yours", ...conflict.a, "=======", ...conflict.b, `>>>>>>> ${label}`] : ok,
  );
  return { text: lines.join("\n"), clean: regions.every(({ conflict }) => conflict === undefined) };
}
