import { type Stats, statSync } from "node:fs";
import { hasCode } from "./file-errors.js";

/**
 * The stats of a path; undefined when it does not exist. `throwIfNoEntry` does not work here: in some versions of Node
 * it also hides ENOTDIR, so a path that cannot exist looks like a missing file.
 * @throws Error ENOTDIR when a part of the path is a file; other errors of the system
 */
export function statsAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
