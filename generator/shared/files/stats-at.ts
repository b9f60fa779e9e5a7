import { type Stats, statSync } from "node:fs";
import { hasCode } from "./file-errors.js";

/**
 * What stands at a path; undefined: nothing. `throwIfNoEntry` is no help: in some versions of Node it also lets pass what cannot
 * come to be.
 * @throws Error ENOTDIR when a part of the path is a file; what else the system says
 */
export function statsAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
