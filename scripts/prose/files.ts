import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Passage } from "./passage.js";
import { readHandlebars } from "./readers/handlebars.js";
import { readJson } from "./readers/json.js";
import { readMarkdown } from "./readers/markdown.js";
import { readShell } from "./readers/shell.js";
import { readTypeScript } from "./readers/typescript.js";

type Reader = (text: string, path: string) => readonly Passage[];

/** Not read: files that are generated from sources that are read, are written by others, or are wrong on purpose. */
const skipped =
  /^(?:generated|bench\/results|docs\/reference\/api)\/|(?:^|\/)fixtures\/|^scripts\/prose\/rules\.ts$|^test\/prose\/|LICENSE|(?:^|\/)package-lock\.json$/;

/** Folders in which strings are read besides comments, because users and contributors read their output. */
const withStrings = /^(?:generator|runtime\/src|scripts|examples)\//;

const readers: readonly (readonly [path: RegExp, read: Reader])[] = [
  [/\.md$/, readMarkdown],
  [/\.[cm]?[jt]s$/, (text, path) => readTypeScript(text, { strings: withStrings.test(path) })],
  [/\.hbs$/, readHandlebars],
  [/^schema\/docs\.json$|\/overlay\.json$|(?:^|\/)package\.json$/, readJson],
  [/^\.ci\/run$|\.(?:ba|z)?sh$/, readShell],
];

/** The reader of a file; `undefined` when it is not read. */
export function readerOf(path: string): Reader | undefined {
  if (skipped.test(path)) return undefined;
  return readers.find(([pattern]) => pattern.test(path))?.[1];
}

/** The tracked and new files of a repository that can be read, as paths relative to it, below any of some paths. */
export function filesIn(root: string, below: readonly string[] = []): readonly string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...below];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64_000_000 }).split("\0");
  return [...new Set(files)].filter((path) => path !== "" && readerOf(path) && isFile(join(root, path))).sort();
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
