import { posix, win32 } from "node:path";

/** The functions for paths of a platform. */
export function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === "win32" ? win32 : posix;
}
