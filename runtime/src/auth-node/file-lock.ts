import { stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AuthorizationError } from "../auth.js";
import {
  createEntry,
  entryName,
  hasEnded,
  listEntries,
  newEntryId,
  removeEmptyFolder,
  removeEntry,
  type LockEntry,
} from "./lock-entries.js";
import { hasCode } from "./store-failure.js";

export interface FileLockOptions {
  /** Milliseconds to wait for the lock. */
  readonly timeoutMs: number;
  /** Milliseconds without a heartbeat after which an entry counts as abandoned. */
  readonly staleMs: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** Receives failures of the heartbeat and of the release, after which other processes wait until the entry is stale. */
  readonly report: (error: Error) => void;
}

export interface FileLock {
  /** Whether this process still has the lock. It loses it when it does not run for `staleMs`, for example while it is suspended. */
  isHeld(): Promise<boolean>;
  /** Never rejects. */
  release(): Promise<void>;
}

/**
 * Locks between processes, in the order in which they ask. Each process puts an entry of its own into a folder: Lamport's
 * bakery algorithm, which needs no file that two processes write. As names are never reused, an abandoned entry can be removed
 * by any process, several times, without a risk for the one that has the lock.
 *
 * An entry is abandoned when its process has ended on this machine, or when its time stamp has not changed for `staleMs` while
 * this process watched it. Clocks of different machines are not compared.
 * @throws AuthorizationError `store-failed` when the wait takes too long; the abort reason of `signal`; errors of Node
 */
export async function lockFolder(folder: string, options: FileLockOptions): Promise<FileLock> {
  for (;;) {
    const name = await takeTicket(folder, options.signal);
    const path = join(folder, name);
    const stopBeating = startHeartbeat(path, options);
    const release = async (): Promise<void> => {
      stopBeating();
      try {
        await removeEntry(folder, name);
        await removeEmptyFolder(folder);
      } catch (error) {
        options.report(error as Error);
      }
    };
    try {
      if (await waitForTurn(folder, name, options)) return { isHeld: () => exists(path), release };
    } catch (error) {
      await release();
      // The timer reports an error of its own.
      options.signal?.throwIfAborted();
      throw error;
    }
    stopBeating();
  }
}

function startHeartbeat(path: string, { staleMs, report }: FileLockOptions): () => void {
  const timer = setInterval(() => {
    const seconds = Date.now() / 1_000;
    utimes(path, seconds, seconds).catch((error: unknown) => {
      if (!hasCode(error, "ENOENT")) report(error as Error);
    });
  }, staleMs / 6).unref();
  return () => clearInterval(timer);
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** Puts an entry at the end of the queue. While it determines the place, an entry with ticket 0 makes the others wait. */
async function takeTicket(folder: string, signal: AbortSignal | undefined): Promise<string> {
  for (;;) {
    signal?.throwIfAborted();
    const id = newEntryId();
    const choosing = entryName(0, id);
    let name: string | undefined;
    await createEntry(folder, choosing);
    try {
      const last = (await listEntries(folder)).at(-1)?.ticket ?? 0;
      const next = entryName(last + 1, id);
      await createEntry(folder, next);
      name = next;
    } finally {
      // Another process has removed the entry: this one was suspended for so long that its place may be out of date.
      if (!(await removeEntry(folder, choosing)) && name !== undefined) {
        await removeEntry(folder, name);
        name = undefined;
      }
    }
    if (name !== undefined) return name;
  }
}

/** @returns false when another process has removed the entry, because this one was suspended */
async function waitForTurn(folder: string, name: string, options: FileLockOptions): Promise<boolean> {
  const { timeoutMs, staleMs, signal } = options;
  const watched = new Map<string, Watched>();
  const look = (): Promise<LockEntry | "gone" | undefined> => firstAhead(folder, name, staleMs, watched);
  const end = performance.now() + timeoutMs;
  for (let pause = 4; ; pause = Math.min(pause * 1.5, 60)) {
    // A process that took its ticket during the first look is in the second one.
    const ahead = (await look()) ?? (await look());
    if (ahead === undefined) return true;
    if (ahead === "gone") return false;
    if (performance.now() >= end)
      throw new AuthorizationError(
        "store-failed",
        `process ${ahead.pid} has kept ${folder} for ${Math.round(timeoutMs / 1_000)} s; let it finish or end it. If there is no such process, delete the folder`,
      );
    await sleep(pause * (0.5 + Math.random()), undefined, signal && { signal });
  }
}

/** The last change of an entry's time stamp. */
interface Watched {
  readonly mtimeMs: number;
  readonly since: number;
}

/** Returns the entry of a living process that comes before `name`, or "gone" when `name` is missing. Removes abandoned entries. */
async function firstAhead(
  folder: string,
  name: string,
  staleMs: number,
  watched: Map<string, Watched>,
): Promise<LockEntry | "gone" | undefined> {
  for (const entry of await listEntries(folder)) {
    if (entry.name === name) return undefined;
    if (!hasEnded(entry) && !(await isStale(folder, entry, staleMs, watched))) return entry;
    await removeEntry(folder, entry.name);
  }
  return "gone";
}

async function isStale(
  folder: string,
  { name }: LockEntry,
  staleMs: number,
  watched: Map<string, Watched>,
): Promise<boolean> {
  const stats = await stat(join(folder, name)).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  });
  if (!stats) return true;
  const { mtimeMs } = stats;
  const before = watched.get(name);
  if (before?.mtimeMs === mtimeMs) return performance.now() - before.since >= staleMs;
  watched.set(name, { mtimeMs, since: performance.now() });
  return false;
}
