import * as native from "node:path";
import { pathToFileURL } from "node:url";

/**
 * How a module in a folder imports a file. On Windows no relative path leads to another drive, so such a file is imported by its URL.
 * @param folder absolute
 * @param file absolute
 */
export function moduleSpecifier(
  folder: string,
  file: string,
  paths: Pick<typeof native, "isAbsolute" | "relative" | "sep"> = native,
): string {
  const way = paths.relative(folder, file);
  if (paths.isAbsolute(way)) return pathToFileURL(way, { windows: paths.sep === "\\" }).href;
  const path = way.split(paths.sep).join("/");
  return /^\.\.?(?:\/|$)/.test(path) ? path : `./${path}`;
}
