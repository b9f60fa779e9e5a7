import { writeFileSync } from "node:fs";
import { realDisk, type Disk } from "../../../../generator/shared/files/disk.js";

type Call = keyof Disk;
export const calls = Object.keys(realDisk) as Call[];

/**
 * A disk on which `before` is called for every call of the given kinds, numbered from 1, and can throw or act first.
 */
export function watchedDisk(kinds: readonly Call[], before: (number: number, call: Call, path: string) => void): Disk {
  let number = 0;
  const watched = kinds.map((call) => {
    const run = (path: string, to = ""): void => {
      before(++number, call, path);
      realDisk[call](path, to);
    };
    return [call, run] as const;
  });
  return { ...realDisk, ...Object.fromEntries(watched) };
}

const reasons = {
  ENOSPC: "no space left on device",
  EACCES: "permission denied",
  EROFS: "read-only file system",
  EIO: "i/o error",
};

export function errno(code: keyof typeof reasons, path: string): Error {
  return Object.assign(new Error(`${code}: ${reasons[code]}, open '${path}'`), { code, syscall: "open", path });
}

/** Calls that take space fail from the n-th on; as on a real disk, a file that cannot be written exists. */
export function fullDisk(from: number): Disk {
  return watchedDisk(["makeFolder", "write", "copy"], (number, call, path) => {
    if (number < from) return;
    if (call === "write") writeFileSync(path, "", { flag: "wx" });
    throw errno("ENOSPC", path);
  });
}

/** The n-th call of any kind fails; all others work. */
export function diskFailingOnce(at: number): Disk {
  return watchedDisk(calls, (number, _, path) => {
    if (number === at) throw errno("EIO", path);
  });
}

/** From the n-th call on nothing changes the disk, as after a killed process. */
export function frozenDisk(from: number): Disk {
  return watchedDisk(calls, (number, _, path) => {
    if (number >= from) throw errno("EROFS", path);
  });
}
