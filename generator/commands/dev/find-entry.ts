import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, relative, resolve } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";

/** The file that starts the server, and the project that it belongs to. */
export interface DevEntry {
  /** Absolute. */
  readonly path: string;
  /** As it is shown to people: relative to the working directory, if it is below it. */
  readonly name: string;
  /** The folder of the nearest `package.json`, or that of the entry. */
  readonly folder: string;
}

const extensions = new Set([".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs"]);
const usualEntries = [
  "src/main.ts",
  "src/index.ts",
  "src/server.ts",
  "main.ts",
  "index.ts",
  "server.ts",
  "index.js",
  "server.js",
];

/** @throws DiagnosticError dev-entry-* */
export function findEntry(given: string, cwd: string): DevEntry {
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(given)) fail("dev-entry-url", { url: given });
  const path = resolve(cwd, given);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) fail("dev-entry-not-found", { path: given, cwd });
  if (stats.isDirectory()) fail("dev-entry-folder", { path: given, example: exampleIn(path, given) });
  if (!stats.isFile() || !extensions.has(extname(path))) fail("dev-entry-type", { path: given });
  const real = realpathSync(path);
  return { path: real, name: shownPath(path, cwd), folder: projectFolder(real) };
}

/** A path as people write it: relative to the working directory, if it is below it. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") ? path : short.replaceAll("\\", "/");
}

function exampleIn(folder: string, given: string): string {
  const found = usualEntries.find((name) => existsSync(join(folder, name))) ?? "src/main.ts";
  return join(given, found).replaceAll("\\", "/");
}

function projectFolder(entry: string): string {
  const start = dirname(entry);
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (folder === dirname(folder)) return start;
  }
}
