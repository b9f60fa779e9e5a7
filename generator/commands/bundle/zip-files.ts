import { type Zippable, zipSync } from "fflate";
import type { BundleEntry } from "./included-files.js";

const unix = 3;

/** Makes a zip. The same files make the same bytes: times, order and permissions are fixed. */
export function zipFiles(files: ReadonlyMap<string, BundleEntry>): Uint8Array {
  // The earliest that a zip can state, in local time.
  const mtime = new Date(1980, 0, 1);
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = sorted.map(([path, { content, isExecutable = false }]) => {
    const mode = 0o100_000 | (isExecutable ? 0o755 : 0o644);
    return [path, [content, { mtime, os: unix, attrs: mode << 16 }]] as const;
  });
  return zipSync(Object.fromEntries(entries) as unknown as Zippable, { level: 9 });
}
