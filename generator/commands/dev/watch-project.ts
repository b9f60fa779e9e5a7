import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { type DevEntry, shownPath } from "./find-entry.js";
import { FolderWatch } from "./folder-watch.js";
import { type ChangeEffect, effectInExtra, effectInProject, folderToWatch, isIgnoredFolder } from "./watched-files.js";

export interface ProjectWatchOptions {
  readonly entry: DevEntry;
  readonly cwd: string;
  /** More files and folders, any change of which restarts the server. */
  readonly extra: readonly string[];
  /** Called with the effect of a change, and with what changed: `src/main.ts changed`. */
  readonly onChange: (effect: Exclude<ChangeEffect, "none">, reason: string) => void;
  readonly onerror: (error: Error, folder: string) => void;
}

/**
 * Watches the files that a server runs from, until the returned function is called.
 * @throws DiagnosticError dev-watch-not-found
 */
export function watchProject({ entry, cwd, extra, onChange, onerror }: ProjectWatchOptions): () => void {
  const extras = extra.map((given) => {
    const path = resolve(cwd, given);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) fail("dev-watch-not-found", { path: given, cwd });
    return { path, isFolder: stats.isDirectory() };
  });
  const watches: FolderWatch[] = [];
  const add = (
    root: string,
    effectOf: (file: string) => ChangeEffect,
    isIgnored: (folder: string) => boolean,
  ): void => {
    const changed = (files: readonly string[]): void => {
      const restarting = files.filter((file) => effectOf(file) === "restart");
      onChange(restarting.length > 0 ? "restart" : "types", describe(restarting.length > 0 ? restarting : files, cwd));
    };
    const isWanted = (file: string): boolean => effectOf(file) !== "none";
    watches.push(new FolderWatch({ root, isIgnored, isWanted, onChange: changed, onerror }));
  };
  add(folderToWatch(entry.path, entry.folder), effectInProject, isIgnoredFolder);
  for (const { path, isFolder } of extras) {
    if (isFolder) add(path, effectInExtra, isPackagesFolder);
    else
      add(
        dirname(path),
        (file) => (file === path ? "restart" : "none"),
        () => true,
      );
  }
  return () => watches.forEach((one) => one.close());
}

function isPackagesFolder(folder: string): boolean {
  return ["node_modules", ".git"].includes(basename(folder));
}

/** `src/main.ts changed`, `src/main.ts was deleted`, `src/main.ts and 2 other files changed`. */
function describe(files: readonly string[], cwd: string): string {
  const [first = ""] = files;
  const name = shownPath(first, cwd);
  if (files.length > 1)
    return `${name} and ${files.length === 2 ? "another file" : `${files.length - 1} other files`} changed`;
  return existsSync(first) ? `${name} changed` : `${name} was deleted`;
}
