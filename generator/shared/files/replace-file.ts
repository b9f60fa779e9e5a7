import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { type Disk, ignoreErrors, realDisk } from "./disk.js";
import { notWritable } from "./file-errors.js";
import { ownPrefix } from "./output-path.js";

/**
 * Replaces a file atomically: writes it under another name first, so that no reader sees a part of it.
 * @throws DiagnosticError output-not-writable
 */
export function replaceFile(path: string, content: string | Uint8Array, disk: Disk = realDisk): void {
  const staged = join(dirname(path), `${ownPrefix}${randomBytes(6).toString("hex")}`);
  try {
    disk.write(staged, content);
    disk.rename(staged, path);
  } catch (error) {
    ignoreErrors(() => disk.remove(staged));
    throw notWritable(path, error);
  }
}
