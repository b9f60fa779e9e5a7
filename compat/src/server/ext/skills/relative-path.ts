/**
 * Splits a path into its names.
 * @param what what the path is, for the error
 * @throws TypeError for a path without names, or with `..`
 */
export function namesOf(path: string, what: string): readonly string[] {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.length > 0 && !names.includes("..")) return names;
  throw new TypeError(`${what} must be a relative path without "..", not ${JSON.stringify(path)}`);
}

/** The folder of a file or folder; the empty string for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
