import type { Tree } from "../generator/shared/files/tree.js";

/** The sorted paths at which two trees differ, for shorter failure messages than whole trees. */
export function differing(before: Tree, after: Tree): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => before[path] !== after[path])
    .sort();
}
