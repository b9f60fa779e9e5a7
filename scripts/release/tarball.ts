import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { PackedFile } from "./checks/files.js";

/** Unpacks a tarball into an empty folder. @returns its files */
export function unpack(tarball: string, into: string): readonly PackedFile[] {
  mkdirSync(into, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", into]);
  const folder = join(into, "package");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(folder, path).split(sep).join("/"), text: readFileSync(path, "utf8") }));
}
