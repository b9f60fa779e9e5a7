import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { letSignalsIn } from "./defer-signals.js";
import type { Disk } from "./disk.js";
import { notWritable } from "./file-errors.js";
import { manifestName, ownPrefix } from "./output-path.js";
import type { FileDifference } from "./file-difference.js";

/** One file that a commit moves; `fresh` and `backup` are in the staging folder. */
export interface FileMove {
  readonly path: string;
  /** The new content. Absent: the file is removed. */
  readonly fresh?: string;
  /** The old content: a copy of a file that changes, or the place to move a removed file to. */
  readonly backup?: string;
}

/** Creates a folder on the same file system as the output, so that moving a file into the output is a rename. */
export function makeStaging(folder: string, disk: Disk): string {
  const staging = join(folder, `${ownPrefix}${randomBytes(6).toString("hex")}`);
  try {
    disk.makeFolder(staging);
    return staging;
  } catch (error) {
    throw notWritable(folder, error);
  }
}

/**
 * Writes all files that a commit needs. The new manifest keeps its name: if a run is killed during the commit, the
 * manifest shows the next run which contents are ours.
 */
export async function stageFiles(
  folder: string,
  staging: string,
  differences: readonly FileDifference[],
  disk: Disk,
  stop: () => void,
): Promise<readonly FileMove[]> {
  const moves: FileMove[] = [];
  for (const [index, difference] of differences.entries()) {
    await letSignalsIn();
    stop();
    try {
      moves.push(stageFile(folder, join(staging, String(index)), difference, disk));
    } catch (error) {
      throw notWritable(join(folder, difference.path), error);
    }
  }
  await letSignalsIn();
  stop();
  return moves;
}

function stageFile(folder: string, place: string, { path, kind, after }: FileDifference, disk: Disk): FileMove {
  const fresh = path === manifestName ? join(place, "..", manifestName) : `${place}.new`;
  const backup = `${place}.old`;
  // A changed script stays executable.
  const mode = kind === "changed" ? statSync(join(folder, path)).mode & 0o777 : undefined;
  if (after !== undefined) disk.write(fresh, after, mode);
  if (kind === "changed") disk.copy(join(folder, path), backup);
  return { path, ...(after !== undefined && { fresh }), ...(kind !== "added" && { backup }) };
}
