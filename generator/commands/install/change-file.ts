import { chmodSync, readdirSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { deferSignals } from "../../shared/files/defer-signals.js";
import { type Disk, ignoreErrors, realDisk } from "../../shared/files/disk.js";
import { notWritable } from "../../shared/files/file-errors.js";
import { acquireLock, isLocked, type Lock } from "../../shared/files/lock.js";
import { makeFolders } from "../../shared/files/make-folders.js";
import { ownPrefix } from "../../shared/files/output-path.js";
import { type HostFileState, readHostFile } from "./host-file.js";

/** The copy of a host's file from before the last change, beside it. There is one. */
export function backupOf(path: string): string {
  return `${path}.mcpwright-backup`;
}

export interface ChangeOptions {
  readonly disk?: Disk;
  /** Permissions of a file that does not exist yet. Default: those of the process */
  readonly newMode?: number | undefined;
}

/** How often a file is read again because another program has changed it in between. */
const maxAttempts = 20;
const lockWaitMs = 100;
const maxLockWaits = 100;

/**
 * Changes a host's file: all of it or nothing. Only one run of mcpwright changes files of a folder at a time; when another program
 * writes the file in between, `change` is called again with its text.
 * @param change returns the new text, or undefined to remove the file
 * @returns the path of the backup; undefined when there was no file
 * @throws DiagnosticError install-config-unreadable, install-config-read-only, install-config-changed, output-not-writable, and the errors of `change`
 */
export function changeFile(
  path: string,
  change: (text: string | undefined) => string | undefined,
  { disk = realDisk, newMode }: ChangeOptions = {},
): Promise<string | undefined> {
  return deferSignals(async (interrupted) => {
    const { target } = readHostFile(path);
    const folder = dirname(target);
    const created: string[] = [];
    try {
      makeFolders(folder, created, disk);
      const lock = await waitForLock(folder, disk, interrupted);
      try {
        for (let attempt = 0; attempt < maxAttempts; attempt++) {
          if (interrupted()) throw new Error("interrupted");
          const before = readHostFile(path);
          const after = change(before.text);
          if (after === before.text) return undefined;
          if (replace(path, { ...before, mode: before.mode ?? newMode }, after, lock, disk))
            return before.text === undefined ? undefined : backupOf(target);
        }
        return fail("install-config-changed", { name: "the file", path });
      } finally {
        removeLeftovers(folder, disk);
        ignoreErrors(lock.release);
      }
    } catch (error) {
      for (const one of created) ignoreErrors(() => disk.removeEmptyFolder(one));
      throw error;
    }
  });
}

/** Removes the staged files of runs that were killed. No other run stages files while the lock is held. */
function removeLeftovers(folder: string, disk: Disk): void {
  ignoreErrors(() => {
    for (const name of readdirSync(folder))
      if (/^\.mcpwright-[0-9a-f]{12}\.(?:new|old)$/.test(name)) ignoreErrors(() => disk.remove(join(folder, name)));
  });
}

/** Waits while another run changes files of the folder. */
async function waitForLock(folder: string, disk: Disk, interrupted: () => boolean): Promise<Lock> {
  for (let waits = 0; ; waits++) {
    try {
      return await acquireLock(folder, disk);
    } catch (error) {
      if (!isLocked(error) || waits >= maxLockWaits) throw error;
      await delay(lockWaitMs);
      if (interrupted()) throw new Error("interrupted", { cause: error });
    }
  }
}

/**
 * Puts a text in place. It is synchronous, so that no signal can interrupt it.
 * @returns false when another program has changed the file since it was read; nothing was changed then
 */
function replace(
  path: string,
  { target, text, mode }: HostFileState,
  after: string | undefined,
  lock: Lock,
  disk: Disk,
): boolean {
  if (mode !== undefined && (mode & 0o222) === 0) fail("install-config-read-only", { path });
  const staged = join(dirname(target), `${ownPrefix}${randomBytes(6).toString("hex")}`);
  const [fresh, old] = [`${staged}.new`, `${staged}.old`];
  const write = (file: string, content: string): void => {
    disk.write(file, content, mode);
    // The mask of the process may have removed permissions.
    if (mode !== undefined) ignoreErrors(() => chmodSync(file, mode));
  };
  try {
    if (after !== undefined) write(fresh, after);
    if (text !== undefined && after !== undefined) write(old, text);
    lock.assertHeld();
    const now = readHostFile(path);
    if (now.target !== target || now.text !== text) return false;
    if (after === undefined) disk.rename(target, backupOf(target));
    else {
      if (text !== undefined) disk.rename(old, backupOf(target));
      disk.rename(fresh, target);
    }
    return true;
  } catch (error) {
    throw notWritable(target, error);
  }
}
