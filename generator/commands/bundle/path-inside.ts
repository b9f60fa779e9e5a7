import { isAbsolute, relative } from "node:path";

/** The path relative to a folder, with slashes; undefined if it is outside. On Windows, that may be another drive. */
export function pathInside(folder: string, path: string): string | undefined {
  const name = relative(folder, path).replaceAll("\\", "/");
  return name === ".." || name.startsWith("../") || isAbsolute(name) ? undefined : name;
}
