import { constants, copyFileSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";

/**
 * Every call that changes the disk; tests pass disks that are full or fail half-way.
 * They are synchronous because a signal handler cannot run in the middle of synchronous code.
 */
export interface Disk {
  /** Fails if the path exists, as `write` and `copy` do. */
  readonly makeFolder: (path: string) => void;
  readonly write: (path: string, content: string | Uint8Array, mode?: number) => void;
  readonly copy: (from: string, to: string) => void;
  /** Replaces a file at `to`. */
  readonly rename: (from: string, to: string) => void;
  readonly removeEmptyFolder: (path: string) => void;
  /** Removes a folder with its content; links are removed, not followed. */
  readonly remove: (path: string) => void;
}

/** For cleaning up: a file that cannot be removed is left for the next run. */
export function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {
    return;
  }
}

export const realDisk: Disk = {
  makeFolder: (path) => mkdirSync(path),
  write: (path, content, mode) => writeFileSync(path, content, { flag: "wx", ...(mode !== undefined && { mode }) }),
  copy: (from, to) => copyFileSync(from, to, constants.COPYFILE_EXCL),
  rename: (from, to) => renameSync(from, to),
  removeEmptyFolder: (path) => rmdirSync(path),
  remove: (path) => rmSync(path, { recursive: true, force: true }),
};
