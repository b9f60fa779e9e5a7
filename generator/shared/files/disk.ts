import { constants, copyFileSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";

/**
 * Every call by which this phase changes the disk; tests hand in disks that are full or fail half-way.
 * They are synchronous because a signal handler cannot run in the middle of synchronous code.
 */
export interface Disk {
  /** Fails if there is something already, as `write` and `copy` do. */
  readonly makeFolder: (path: string) => void;
  readonly write: (path: string, text: string) => void;
  readonly copy: (from: string, to: string) => void;
  /** Replaces a file at `to`. */
  readonly rename: (from: string, to: string) => void;
  readonly removeEmptyFolder: (path: string) => void;
  /** With all it holds; links are removed, not followed. */
  readonly remove: (path: string) => void;
}

/** For cleaning up: what cannot be removed is left to the next run. */
export function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {
    return;
  }
}

export const realDisk: Disk = {
  makeFolder: (path) => mkdirSync(path),
  write: (path, text) => writeFileSync(path, text, { flag: "wx" }),
  copy: (from, to) => copyFileSync(from, to, constants.COPYFILE_EXCL),
  rename: (from, to) => renameSync(from, to),
  removeEmptyFolder: (path) => rmdirSync(path),
  remove: (path) => rmSync(path, { recursive: true, force: true }),
};
