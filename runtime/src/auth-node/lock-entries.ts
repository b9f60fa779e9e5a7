import { createHash, randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { mkdir, readdir, rmdir, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { hasCode } from "./store-failure.js";

/** A place in the queue for a lock: an empty file, whose name is unique and never used again. */
export interface LockEntry {
  readonly name: string;
  /** The place in the queue; 0 while the process determines it. */
  readonly ticket: number;
  readonly pid: number;
  /** Identifies the machine and the process-id namespace, in which `pid` has a meaning. */
  readonly space: string;
}

/** Returns the name of an entry; names sort by ticket. */
export function entryName(ticket: number, id: string): string {
  return `${String(ticket).padStart(12, "0")}-${id}`;
}

/** Returns the part of an entry's name that identifies one attempt of this process. */
export function newEntryId(): string {
  return `${process.pid}-${ownSpace()}-${randomUUID()}`;
}

/** Lists the entries in the order of the queue. */
export async function listEntries(folder: string): Promise<readonly LockEntry[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  return names.sort().flatMap((name) => {
    const [, ticket, pid, space = ""] = /^(\d{12})-(\d+)-([\da-f]{8})-[\da-f-]{36}$/.exec(name) ?? [];
    return ticket === undefined ? [] : [{ name, ticket: Number(ticket), pid: Number(pid), space }];
  });
}

/** Creates an entry, and the folder when it does not exist. Another process may remove the empty folder at any time. */
export async function createEntry(folder: string, name: string): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, name), "", { flag: "wx", mode: 0o600 });
      return;
    } catch (error) {
      if (tries === 100 || !hasCode(error, "ENOENT")) throw error;
    }
}

/** Removes an entry. @returns whether it existed */
export async function removeEntry(folder: string, name: string): Promise<boolean> {
  try {
    await unlink(join(folder, name));
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** Removes the folder if no process waits for the lock. */
export async function removeEmptyFolder(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (!hasCode(error, "ENOENT", "ENOTEMPTY", "EEXIST", "EBUSY", "EPERM")) throw error;
  });
}

/** Whether the process of an entry has ended. False when it runs elsewhere, and only its heartbeat shows that it lives. */
export function hasEnded({ pid, space }: LockEntry): boolean {
  if (space !== ownSpace()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, "ESRCH");
  }
}

let known: string | undefined;

function ownSpace(): string {
  return (known ??= createHash("sha256").update(`${hostname()} ${pidNamespace()}`).digest("hex").slice(0, 8));
}

/** Containers of one machine have their own process ids. Only Linux has such namespaces. */
function pidNamespace(): string {
  if (process.platform !== "linux") return "";
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
