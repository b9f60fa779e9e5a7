import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Disk } from "./disk.js";
import { hasCode, notWritable } from "./file-errors.js";

/** Creates the folder and its missing parents, and adds the created ones to `created`, innermost first. */
export function makeFolders(folder: string, created: string[], disk: Disk): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path) && path !== dirname(path); path = dirname(path))
    missing.unshift(path);
  for (const path of missing) {
    try {
      disk.makeFolder(path);
      created.unshift(path);
    } catch (error) {
      // Another run may have created it in the meantime.
      if (!hasCode(error, "EEXIST")) throw notWritable(path, error);
    }
  }
}
