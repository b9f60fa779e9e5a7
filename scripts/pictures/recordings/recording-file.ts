import { join } from "node:path";

/** The file with the output of a recording. */
export function recordingFile(name: string): string {
  return join(import.meta.dirname, `${name}.txt`);
}
