import { statSync, type FSWatcher } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { runOnChange, watchFolder } from "../../shared/command/run-on-change.js";

/** Tolerance for file times that are behind the clock, in milliseconds. */
const tolerance = 50;

/**
 * Runs `action` now and after every change of the files it returns, and resolves on SIGINT or SIGTERM.
 * Their folders are watched, because many editors replace a file instead of writing it.
 * @param ready called after each run, when watching has started
 */
export async function watchFiles(action: () => Promise<readonly string[]>, ready: () => void): Promise<void> {
  const watchers = new Map<string, FSWatcher>();
  let names: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  let notify = (): void => undefined;
  const follow = (files: readonly string[]): readonly string[] => {
    names = byFolder(files);
    for (const [folder, watcher] of watchers) {
      if (names.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    const added = [...names.keys()].filter((folder) => !watchers.has(folder));
    for (const folder of added) {
      const changed = (_event: string, name: string | null): void => {
        if (name === null || names.get(folder)?.has(name) === true) notify();
      };
      watchers.set(folder, watchFolder(folder, false, changed));
    }
    return files.filter((file) => added.includes(dirname(resolve(file))));
  };
  await runOnChange(
    (changed) => {
      notify = changed;
      return () => {
        for (const watcher of watchers.values()) watcher.close();
      };
    },
    async () => {
      const started = Date.now() - tolerance;
      const added = follow(await action());
      // Files that changed after they were read and before their folder was watched.
      if (added.some((file) => changedAfter(file, started))) notify();
      ready();
    },
  );
}

function changedAfter(file: string, time: number): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > time;
}

function byFolder(files: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of files.map((one) => resolve(one))) {
    const names = found.get(dirname(file)) ?? new Set();
    found.set(dirname(file), names.add(basename(file)));
  }
  return found;
}
