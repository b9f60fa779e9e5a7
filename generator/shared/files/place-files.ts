import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { commitFiles } from "./commit-files.js";
import { deferSignals } from "./defer-signals.js";
import { ignoreErrors, realDisk, type Disk } from "./disk.js";
import { acquireLock, lockName } from "./lock.js";
import { assertOutputPaths, ownPrefix, parentsOf } from "./output-path.js";
import { makeStaging, stageFiles } from "./stage-files.js";
import { isHalfWritten } from "./commit-files.js";
import { makeFolders } from "./make-folders.js";
import type { FileDifference } from "./file-difference.js";

/**
 * Writes, replaces and removes files of a project. On any error, or when a signal asks the process to end, no file
 * changes.
 * @param look returns the changes to make; called while no other run writes
 * @throws DiagnosticError output-not-writable, output-half-written, and the errors of `look`
 */
export function placeFiles(
  folder: string,
  look: () => readonly FileDifference[],
  disk: Disk = realDisk,
): Promise<void> {
  const root = resolve(folder);
  return deferSignals(async (interrupted) => {
    const stop = (): void => {
      if (interrupted()) throw new Error("interrupted");
    };
    const created: string[] = [];
    try {
      makeFolders(root, created, disk);
      const lock = await acquireLock(root, disk);
      try {
        const differences = look();
        assertOutputPaths(differences.map(({ path }) => path));
        if (differences.length === 0) return;
        const staging = makeStaging(root, disk);
        try {
          const removed = differences.filter(({ kind }) => kind === "removed");
          const abandoned = [...new Set(removed.flatMap(({ path }) => parentsOf(path)))];
          const moves = await stageFiles(root, staging, differences, disk, stop);
          lock.assertHeld();
          commitFiles(root, staging, moves, abandoned, disk);
        } catch (error) {
          // The staging folder contains the files that could not be restored.
          if (!isHalfWritten(error)) ignoreErrors(() => disk.remove(staging));
          throw error;
        }
        for (const name of leftovers(root)) ignoreErrors(() => disk.remove(join(root, name)));
      } finally {
        ignoreErrors(lock.release);
      }
    } catch (error) {
      for (const path of created) ignoreErrors(() => disk.removeEmptyFolder(path));
      throw error;
    }
  });
}

/** Staging folders of this run and of runs that were killed. */
function leftovers(root: string): readonly string[] {
  return readdirSync(root).filter((name) => name.startsWith(ownPrefix) && name !== lockName);
}
