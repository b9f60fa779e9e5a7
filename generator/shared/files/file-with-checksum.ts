import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fail } from "../diagnostics/diagnostic.js";
import { contentHash, withLf } from "./content-hash.js";
import type { Disk } from "./disk.js";
import { errnoText, hasCode, notWritable } from "./file-errors.js";
import { replaceFile } from "./replace-file.js";

/** The verbs that write a single file; a folder has a manifest instead. */
export type WritingVerb = "bind" | "compile";

/** Where changes belong instead. */
const sources: Readonly<Record<WritingVerb, string>> = {
  bind: "It says what the server says: what is your own belongs in another file.",
  compile: "Change the file that it is made of.",
};

/** The text with a first line, from which can be told that it is ours, and that nobody has changed it. */
export function withChecksum(maker: WritingVerb, text: string): string {
  return `// Made by mcpwright ${maker}. Do not edit: make it again. sha256 ${contentHash(text)}\n${text}`;
}

/** What is at a path; undefined when nothing is. @throws DiagnosticError file-not-readable */
export function readWrittenFile(path: string): string | undefined {
  try {
    return withLf(readFileSync(path, "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    return fail("file-not-readable", { path, reason: errnoText(error) ?? String(error) });
  }
}

/** Who has written a file. */
export function authorOf(maker: WritingVerb, text: string): "ours" | "edited" | "foreign" {
  const [line, by, hash] = /^\/\/ Made by mcpwright (\w+)\..* sha256 ([0-9a-f]{64})\n/.exec(text) ?? [];
  if (line === undefined || by !== maker) return "foreign";
  return contentHash(text.slice(line.length)) === hash ? "ours" : "edited";
}

/**
 * Writes a sealed file all at once, and makes the folder that it goes to.
 * @throws DiagnosticError file-foreign, output-edited, output-not-writable, file-not-readable
 */
export function writeWithChecksum(
  maker: WritingVerb,
  path: string,
  text: string,
  disk?: Disk,
): "written" | "unchanged" {
  const before = readWrittenFile(path);
  if (before === text) return "unchanged";
  const author = before === undefined || before === "" ? "ours" : authorOf(maker, before);
  if (author === "foreign") fail("file-foreign", { path, maker });
  if (author === "edited") fail("output-edited", { path, source: sources[maker] });
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw notWritable(path, error);
  }
  replaceFile(path, text, disk);
  return "written";
}
