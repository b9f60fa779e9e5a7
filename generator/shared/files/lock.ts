import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DiagnosticError, fail } from "../diagnostics/diagnostic.js";
import { ignoreErrors, type Disk } from "./disk.js";
import { hasCode, notWritable } from "./file-errors.js";
import { ownPrefix } from "./output-path.js";

export const lockName = `${ownPrefix}lock`;

export interface Lock {
  /** Fails if another run took the lock because it seemed abandoned. */
  readonly assertHeld: () => void;
  readonly release: () => void;
}

/**
 * Locks of this process. In a container every run has the same process id, so the id alone does not identify the
 * holder.
 */
const heldHere = new Set<string>();

/** Lets one run at a time write in a folder. The lock of a process that has ended is taken over. */
export async function acquireLock(folder: string, disk: Disk): Promise<Lock> {
  const path = join(folder, lockName);
  const token = `${process.pid} ${randomUUID()}\n`;
  if (!create(path, token, folder, disk)) {
    await removeIfStale(path, folder, disk);
    if (!create(path, token, folder, disk)) busy(folder, holderOf(path));
  }
  heldHere.add(token);
  const isHeld = (): boolean => holderOf(path) === token;
  return {
    assertHeld: () => {
      if (!isHeld()) busy(folder, holderOf(path));
    },
    release: () => {
      heldHere.delete(token);
      if (isHeld()) disk.remove(path);
    },
  };
}

/** Whether an error of `acquireLock` says that another run has the lock. */
export function isLocked(error: unknown): boolean {
  return (
    error instanceof DiagnosticError && error.diagnostics.some(({ message }) => message.endsWith(`lock ${lockName})`))
  );
}

function create(path: string, token: string, folder: string, disk: Disk): boolean {
  try {
    disk.write(path, token);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    // On a full disk the file can exist with no content or only a part of it.
    if (token.startsWith(holderOf(path) ?? "none")) ignoreErrors(() => disk.remove(path));
    throw notWritable(folder, error);
  }
}

async function removeIfStale(path: string, folder: string, disk: Disk): Promise<void> {
  // An empty lock is about to be filled, unless its process ended in between.
  if (holderOf(path) === "") await delay(50);
  const holder = holderOf(path);
  if (holder === undefined) return;
  if (isAlive(holder)) busy(folder, holder);
  const aside = `${path}-${randomUUID()}`;
  try {
    disk.rename(path, aside);
    if (holderOf(aside) === holder) disk.remove(aside);
    // Another run has replaced the stale lock since it was read: the file that was moved is its new lock.
    else disk.rename(aside, path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw notWritable(folder, error);
  }
}

function holderOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function isAlive(holder: string): boolean {
  const pid = Number(/^[1-9]\d*(?= )/.exec(holder)?.[0]);
  if (Number.isNaN(pid)) return false;
  if (pid === process.pid) return heldHere.has(holder);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

function busy(folder: string, holder: string | undefined): never {
  const process = holder === undefined ? "" : `process ${holder.split(" ", 1)[0]}, `;
  return fail("output-not-writable", { path: folder, reason: `another run is writing (${process}lock ${lockName})` });
}
