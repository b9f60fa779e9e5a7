import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../diagnostics/diagnostic.js";
import { withLf } from "../files/content-hash.js";
import { hasCode, notWritable } from "../files/file-errors.js";
import { statsAt } from "../files/stats-at.js";

/** The state of a path in a project: absent, a file with its text (LF line ends), or an obstacle that must not be changed. */
export type PathState =
  { readonly kind: "absent" } | { readonly kind: "file"; readonly text: string; readonly hasCrlf: boolean } | Obstacle;

interface Obstacle {
  readonly kind: "obstacle";
  /** The folder or link itself, or a file where a folder is needed. */
  readonly at: string;
}

/** Reads the state of a path. Links are obstacles, because they can point anywhere. */
export function pathStateAt(folder: string, path: string): PathState {
  const segments = path.split("/");
  try {
    for (const index of segments.keys()) {
      const at = segments.slice(0, index + 1).join("/");
      const stats = lstatSync(join(folder, at), { throwIfNoEntry: false });
      if (!stats) return { kind: "absent" };
      if (at === path ? !stats.isFile() : !stats.isDirectory()) return { kind: "obstacle", at };
    }
    const text = readFileSync(join(folder, path), "utf8");
    return { kind: "file", text: withLf(text), hasCrlf: text.includes("\r\n") };
  } catch (error) {
    throw notWritable(join(folder, path), error);
  }
}

/** Whether the folder exists. @throws DiagnosticError skeleton-folder-is-file, output-not-writable */
export function folderExists(path: string): boolean {
  try {
    const stats = statsAt(path);
    if (!stats || stats.isDirectory()) return stats !== undefined;
  } catch (error) {
    if (!hasCode(error, "ENOTDIR")) throw notWritable(path, error);
  }
  return fail("skeleton-folder-is-file", { path });
}
