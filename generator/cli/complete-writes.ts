import { fstatSync, writeSync } from "node:fs";
import type { OutputStream } from "../shared/command/context.js";

/** Writes everything or reports an error. Node's streams silently drop the rest of a partial write to a file. */
export function completeWrites(
  stream: typeof process.stdout,
  failed: (error: NodeJS.ErrnoException) => void,
): OutputStream {
  if (!isFile(stream.fd)) return stream;
  let isBroken = false;
  return {
    write(text) {
      if (isBroken) return;
      try {
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length;) at += writeSync(stream.fd, bytes, at);
      } catch (error) {
        isBroken = true;
        failed(error as NodeJS.ErrnoException);
      }
    },
  };
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false; // closed
  }
}
