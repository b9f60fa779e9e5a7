import type { Tree } from "../generator/shared/files/tree.js";

/** The paths at which two trees differ, sorted; easier to read than the trees. */
export function differing(before: Tree, after: Tree): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => before[path] !== after[path])
    .sort();
}
