import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DiagnosticError } from "../../../../generator/shared/diagnostics/diagnostic.js";
import { contentHash } from "../../../../generator/shared/files/content-hash.js";
import { printManifest } from "../../../../generator/pipeline/write/manifest.js";
import { writeOutput, type WriteOptions, type WriteReport } from "../../../../generator/pipeline/write/write-output.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { meta, type Tree } from "./tree.js";

/** An empty folder for one test. */
export function sandbox(): string {
  return temporaryFolder("write");
}

export function put(folder: string, tree: Tree): void {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/**
 * The content of a folder: files with their text, `name/` for empty folders, `-> target` for links, which are not
 * followed.
 */
export function treeOf(folder: string, prefix = ""): Tree {
  const names = readdirSync(join(folder, prefix)).sort();
  if (prefix && !names.length) return { [`${prefix}/`]: "" };
  return Object.assign({}, ...names.map((name) => entryTree(folder, prefix ? `${prefix}/${name}` : name))) as Tree;
}

function entryTree(folder: string, path: string): Tree {
  const stats = lstatSync(join(folder, path));
  if (stats.isSymbolicLink()) return { [path]: `-> ${readlinkSync(join(folder, path))}` };
  if (stats.isDirectory()) return treeOf(folder, path);
  return { [path]: stats.isFile() ? readFileSync(join(folder, path), "utf8") : "(not a file)" };
}

/** The content of a folder after these files were generated into it. */
export function generated(files: Tree, extra: Tree = {}): Tree {
  return { ...files, "manifest.json": manifestOf(files), ...extra };
}

export function manifestOf(files: Tree): string {
  const hashes = Object.entries(files).map(([path, text]) => [path, contentHash(text)] as const);
  return printManifest({ format: 1, ...meta, files: Object.fromEntries(hashes) });
}

export function write(folder: string, files: Tree, options: Partial<WriteOptions> = {}): Promise<WriteReport> {
  return writeOutput(folder, new Map(Object.entries(files)), meta, { mode: "write", ...options });
}

/** `id: message` of all diagnostics of a run, without the folder's own path; undefined if it succeeds. */
export async function refusal(folder: string, run: Promise<unknown>): Promise<readonly string[] | undefined> {
  try {
    await run;
    return undefined;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ id, message }) => `${id}: ${message.replaceAll(folder, "OUT")}`);
  }
}
