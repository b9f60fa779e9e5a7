import { isWindowsName } from "./windows-names.js";

/** Prefix of the generator's own names in an output folder: the staging folders and the lock. */
export const ownPrefix = ".mcpwright-";

/**
 * Whether a path is allowed in a manifest and among the files to write: relative, with forward slashes, inside the
 * folder, and naming the same file on every system. Names that Windows refuses or changes are not allowed. A manifest is read
 * from disk and decides which files are deleted, so its paths are checked too.
 */
export function isOutputPath(path: string): boolean {
  if (path.startsWith(ownPrefix) || path === manifestName) return false;
  return path.split("/").every((segment) => segment !== "" && isWindowsName(segment));
}

export const manifestName = "manifest.json";

/** `a/b` and `a` for `a/b/c`, innermost first. */
export function parentsOf(path: string): readonly string[] {
  const segments = path.split("/").slice(0, -1);
  return segments.map((_, index) => segments.slice(0, segments.length - index).join("/"));
}

/** Rejects files that cannot exist together on every file system; such a set is a bug of the caller. */
export function assertOutputPaths(paths: Iterable<string>): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    if (!isOutputPath(path)) throw new Error(`${JSON.stringify(path)} cannot be an output path`);
    const other = seen.get(path.toLowerCase());
    if (other !== undefined) throw new Error(`output paths ${other} and ${path} differ only in case`);
    seen.set(path.toLowerCase(), path);
  }
  for (const path of seen.values()) {
    const file = parentsOf(path.toLowerCase()).find((parent) => seen.has(parent));
    if (file !== undefined) throw new Error(`output path ${seen.get(file)} is both a file and the folder of ${path}`);
  }
}
