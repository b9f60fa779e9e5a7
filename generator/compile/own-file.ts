import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { fail } from "../diagnostics/diagnostic.js";
import { withLf } from "../write/content-hash.js";
import { quietly, realDisk, type Disk } from "../write/disk.js";
import { errnoText, notWritable } from "../write/not-writable.js";

/**
 * What an earlier run wrote to `path`; undefined when there is nothing.
 * @throws DiagnosticError compile-foreign for a file without `mark` in its first line
 */
export function readOwnFile(path: string, shown: string, mark: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (statSync(path).isDirectory()) fail("output-not-writable", { path: shown, reason: "it is a folder" });
  let text: string;
  try {
    text = withLf(readFileSync(path, "utf8"));
  } catch (error) {
    return fail("input-not-found", { path: shown, reason: errnoText(error) ?? String(error) });
  }
  const [first = ""] = text.split("\n", 1);
  if (text !== "" && !first.startsWith(mark)) fail("compile-foreign", { path: shown });
  return text;
}

/** Puts a file in the place of another: whole, or not at all. */
export function replaceFile(path: string, shown: string, text: string, disk: Disk = realDisk): void {
  const fresh = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    disk.write(fresh, text);
    disk.rename(fresh, path);
  } catch (error) {
    quietly(() => disk.remove(fresh));
    throw notWritable(shown, error);
  }
}
