import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../../diagnostics/diagnostic.js";
import { contentHash, withLf } from "../../write/content-hash.js";
import { ownPrefix } from "../../write/output-path.js";
import { quietly } from "../../write/disk.js";
import { errnoText, hasCode, notWritable } from "../../write/not-writable.js";

const seal = /^\/\/ Made by mcpwright bind\. Do not edit: make it again\. sha256 ([0-9a-f]{64})\n/;

/** The file with its first line, from which can be told that it is ours, and that nobody has changed it. */
export function sealed(text: string): string {
  return `// Made by mcpwright bind. Do not edit: make it again. sha256 ${contentHash(text)}\n${text}`;
}

/** The comment that tells how a client was made, with which it begins. */
export function headingIn(text: string): string {
  return /^\/\/.*\n((?:\/\/.*\n)*)/.exec(text)?.[1] ?? "";
}

/** What is at a path; undefined when nothing is. @throws DiagnosticError bind-not-readable */
export function readClient(path: string): string | undefined {
  try {
    return withLf(readFileSync(path, "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    return fail("bind-not-readable", { path, reason: errnoText(error) ?? String(error) });
  }
}

/** Who has written a file. */
export function authorOf(text: string): "ours" | "edited" | "foreign" {
  const [line, hash] = seal.exec(text) ?? [];
  if (line === undefined) return "foreign";
  return contentHash(text.slice(line.length)) === hash ? "ours" : "edited";
}

/**
 * Writes a client all at once: under another name first, so that nobody ever sees half of it.
 * @throws DiagnosticError bind-foreign, output-edited, output-not-writable
 */
export function writeClient(path: string, text: string): "written" | "unchanged" {
  const before = readClient(path);
  if (before === text) return "unchanged";
  const author = before === undefined ? "ours" : authorOf(before);
  if (author === "foreign") fail("bind-foreign", { path });
  if (author === "edited") fail("output-edited", { path });
  const folder = dirname(path);
  const staged = join(folder, `${ownPrefix}${randomBytes(6).toString("hex")}`);
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
    writeFileSync(staged, text, { flag: "wx" });
    renameSync(staged, path);
  } catch (error) {
    quietly(() => rmSync(staged, { force: true }));
    throw notWritable(path, error);
  }
  return "written";
}
