import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";

/**
 * Finds a file below a folder, for paths that clients send (MCP, resources: security considerations). Symbolic links are
 * followed: the file counts as inside only if its real path is. Between this check and your access, another process can
 * replace the file by a link, so do not let clients create links in the folder.
 * @param path relative to the folder, or absolute
 * @returns the real path; undefined if the file is outside or does not exist
 * @throws the error of Node when the folder itself does not exist
 * @example
 * ```ts
 * const file = await resolveInside("/srv/files", String(path));
 * if (file === undefined) throw new ResourceNotFoundError(uri.href);
 * ```
 */
export async function resolveInside(folder: string, path: string): Promise<string | undefined> {
  const base = await realpath(folder);
  const file = await realpath(resolve(base, path)).catch(() => undefined);
  if (file === undefined) return undefined;
  const way = relative(base, file);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : file;
}
