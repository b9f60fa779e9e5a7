import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DiagnosticError, fail } from "../diagnostics/diagnostic.js";
import type { Disk } from "./disk.js";
import { errnoText, notWritable } from "./file-errors.js";
import { manifestName, parentsOf } from "./output-path.js";
import type { FileMove } from "./stage-files.js";

/**
 * Puts staged files in place. It only renames, synchronously, so that no signal can interrupt it; the manifest is last.
 * If a rename fails, the previous ones are undone.
 */
export function commitFiles(
  folder: string,
  staging: string,
  moves: readonly FileMove[],
  abandoned: readonly string[],
  disk: Disk,
): void {
  const undo: (() => void)[] = [];
  let current = folder;
  const at = (path: string): string => (current = join(folder, path));

  const removeFile = ({ path, backup }: FileMove): void => {
    if (backup === undefined) return;
    const target = at(path);
    disk.rename(target, backup);
    undo.push(() => disk.rename(backup, target));
  };
  const removeFolder = (path: string, index: number): void => {
    const target = at(path);
    if (!isEmptyFolder(target)) return;
    // Not deleted yet, because a full disk might not allow creating it again.
    const backup = join(staging, `folder-${index}`);
    disk.rename(target, backup);
    undo.push(() => disk.rename(backup, target));
  };
  const makeFolder = (path: string): void => {
    const target = at(path);
    if (existsSync(target)) return;
    disk.makeFolder(target);
    undo.push(() => disk.removeEmptyFolder(target));
  };
  const place = ({ path, fresh, backup }: FileMove): void => {
    if (fresh === undefined) return;
    const target = at(path);
    disk.rename(fresh, target);
    undo.push(() => (backup === undefined ? disk.rename(target, fresh) : disk.rename(backup, target)));
  };

  const [manifest, files] = [moves.filter(isManifest), moves.filter((move) => !isManifest(move))];
  try {
    files.filter(({ fresh }) => fresh === undefined).forEach(removeFile);
    abandoned.forEach(removeFolder);
    foldersOf(files).forEach(makeFolder);
    files.forEach(place);
    manifest.forEach(place);
  } catch (error) {
    if (!takeBack(undo)) fail("output-half-written", { path: current, reason: errnoText(error) ?? String(error) });
    throw notWritable(current, error);
  }
}

function isManifest({ path }: FileMove): boolean {
  return path === manifestName;
}

function isEmptyFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(path).length === 0;
}

/** The folders of new files, outermost first. */
function foldersOf(moves: readonly FileMove[]): readonly string[] {
  const folders = new Set(moves.flatMap(({ path, fresh }) => (fresh === undefined ? [] : parentsOf(path))));
  return [...folders].sort((a, b) => a.length - b.length);
}

/** Undoes the moves in reverse order; if one fails, the others are still undone. */
function takeBack(undo: readonly (() => void)[]): boolean {
  let complete = true;
  for (const inverse of undo.toReversed()) {
    try {
      inverse();
    } catch {
      complete = false;
    }
  }
  return complete;
}

/** The staging folder then shows the next run which files are ours. */
export function isHalfWritten(error: unknown): boolean {
  return error instanceof DiagnosticError && error.diagnostics.some(({ id }) => id === "output-half-written");
}
