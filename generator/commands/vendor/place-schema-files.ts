import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { commitFiles } from "../../shared/files/commit-files.js";
import { ignoreErrors, type Disk } from "../../shared/files/disk.js";
import { acquireLock } from "../../shared/files/lock.js";
import { errnoText } from "../../shared/files/file-errors.js";
import { parentsOf } from "../../shared/files/output-path.js";
import { makeStaging, stageFiles, type FileMove } from "../../shared/files/stage-files.js";
import { makeFolders } from "../../shared/files/make-folders.js";
import type { FileDifference } from "../../shared/files/file-difference.js";

/** Files that are in place but can still be rolled back. */
export interface PlacedFiles {
  readonly keep: () => void;
  /** Restores the folder. @throws DiagnosticError when that fails */
  readonly takeBack: () => void;
}

/**
 * Writes all files into a folder, or none.
 * @param plan returns the differences; called while the folder is locked
 */
export async function placeSchemaFiles(
  folder: string,
  plan: () => readonly FileDifference[],
  disk: Disk,
  stop: () => void,
): Promise<PlacedFiles> {
  const cleanUp: (() => void)[] = [];
  const finish = (): void => {
    for (const action of cleanUp.splice(0).reverse()) ignoreErrors(action);
  };
  try {
    const created: string[] = [];
    const removeCreated = (): void => created.forEach((path) => ignoreErrors(() => disk.removeEmptyFolder(path)));
    cleanUp.push(removeCreated);
    makeFolders(folder, created, disk);
    const lock = await acquireLock(folder, disk);
    cleanUp.push(lock.release);
    const differences = plan();
    const staging = makeStaging(folder, disk);
    const removeStaging = (): void => disk.remove(staging);
    cleanUp.push(removeStaging);
    const moves = await stageFiles(folder, staging, differences, disk, stop);
    const parents = moves.flatMap(({ path }) => parentsOf(path)).filter((path) => !existsSync(join(folder, path)));
    lock.assertHeld();
    commitFiles(folder, staging, moves, [], disk);
    return {
      keep: finish,
      takeBack: () => {
        try {
          moves.toReversed().forEach((move) => undo(folder, move, disk));
        } catch (error) {
          // The previous files are still in the staging folder.
          cleanUp.splice(cleanUp.indexOf(removeStaging), 1);
          fail("output-half-written", { path: folder, reason: errnoText(error) ?? String(error) });
        } finally {
          for (const path of parents) ignoreErrors(() => disk.removeEmptyFolder(join(folder, path)));
          finish();
        }
      },
    };
  } catch (error) {
    finish();
    throw error;
  }
}

function undo(folder: string, { path, backup }: FileMove, disk: Disk): void {
  if (backup === undefined) disk.remove(join(folder, path));
  else disk.rename(backup, join(folder, path));
}
