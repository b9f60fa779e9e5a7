import { basename, dirname, extname, relative, sep } from "node:path";

/** What a change of a file means. */
export type ChangeEffect = "restart" | "types" | "none";

const sources = new Set([".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"]);
/** Folders with what others write: packages, builds, reports. */
const written = new Set(["node_modules", "bower_components", "dist", "build", "out", "coverage", "tmp", "temp"]);
/** What editors leave for a moment: `4913` is of Vim, `.#main.ts` of Emacs. */
const temporary = /^(?:\.#.*|#.*#|4913|.*~|.*\.(?:swp|swx|swo|tmp|temp|bak|orig))$/i;

/** Whether the files of a folder never count. Folders whose names begin with a dot belong to tools. */
export function isIgnoredFolder(path: string): boolean {
  const name = basename(path);
  return written.has(name) || name.startsWith(".");
}

/**
 * What a change of a file of the project means. Servers also write files, such as data and logs, so only source files count, and the files
 * that say how they run. Declarations and tests do not run in the server, but may have type errors.
 */
export function effectInProject(path: string): ChangeEffect {
  const name = basename(path);
  if (temporary.test(name)) return "none";
  if (name === "package.json" || /^tsconfig.*\.json$/.test(name) || /^\.env(?:\..+)?$/.test(name)) return "restart";
  if (!sources.has(extname(name))) return "none";
  return /\.d\.[cm]?ts$|\.(?:test|spec)\.[cm]?[jt]sx?$/.test(name) ? "types" : "restart";
}

/** What a change of a file in a folder of `--watch` means. */
export function effectInExtra(path: string): ChangeEffect {
  return temporary.test(basename(path)) ? "none" : "restart";
}

/**
 * The folder to watch: the project, or the folder with builds in which the entry is, because sources do not count then until they are built.
 * @param project a folder above the entry
 */
export function folderToWatch(entry: string, project: string): string {
  const inner = relative(project, dirname(entry)).split(sep);
  let folder = project;
  for (const name of inner) {
    folder = name === "" ? folder : `${folder}${sep}${name}`;
    if (isIgnoredFolder(folder) && folder !== project) return folder;
  }
  return project;
}
