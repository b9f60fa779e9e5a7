import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { errnoText } from "../../shared/files/file-errors.js";
import { pathInside } from "./path-inside.js";

/** A file of the bundle. */
export interface BundleEntry {
  readonly content: Uint8Array;
  readonly isExecutable?: boolean;
}

/** Never bundled with a folder, because they are of this machine or secret: name the file itself to include it. */
const leftOut = /^(?:\.git|\.DS_Store|Thumbs\.db|\.env(?:\..*)?|\.npmrc|.*\.mcpb)$/;

/**
 * Reads files and folders of the project. Their paths in the bundle are those in the project. Links are followed.
 * @throws DiagnosticError bundle-include-unusable
 */
export function includedFiles(folder: string, include: readonly string[]): ReadonlyMap<string, BundleEntry> {
  const files = new Map<string, BundleEntry>();
  for (const given of include) {
    const path = resolve(folder, given);
    const name = pathInside(folder, path);
    if (name === undefined || name === "")
      fail("bundle-include-unusable", { path: given, reason: "is not inside of the project" });
    if (name === "manifest.json")
      fail("bundle-include-unusable", { path: given, reason: "has the name of the manifest of the bundle" });
    try {
      add(files, path, name, []);
    } catch (error) {
      const reason = errnoText(error);
      if (reason === undefined) throw error;
      fail("bundle-include-unusable", { path: given, reason: `cannot be read: ${reason}` });
    }
  }
  return files;
}

function add(files: Map<string, BundleEntry>, path: string, name: string, parents: readonly string[]): void {
  const stats = statSync(path);
  if (stats.isFile()) {
    files.set(name, { content: readFileSync(path), isExecutable: (stats.mode & 0o100) !== 0 });
    return;
  }
  if (!stats.isDirectory()) fail("bundle-include-unusable", { path: name, reason: "is neither a file nor a folder" });
  const real = realpathSync(path);
  if (parents.includes(real)) fail("bundle-include-unusable", { path: name, reason: "is a link to a folder above it" });
  for (const child of readdirSync(path).sort())
    if (!leftOut.test(child)) add(files, join(path, child), `${name}/${child}`, [...parents, real]);
}
