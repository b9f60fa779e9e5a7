/**
 * Checks the prose of the repository by the rules of `rules.ts`: `npm run lint:prose -- [path]... [--count]`. It reads documents,
 * comments, messages, help texts and test titles. `--count` prints how many findings each rule has in each folder.
 */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { applyAllowed, parseAllowed } from "./allowed.js";
import { check, type Finding, printFinding } from "./check.js";
import { countTable } from "./count.js";
import { filesIn, readerOf } from "./files.js";

const root = join(import.meta.dirname, "../..");
const { values, positionals } = parseArgs({ options: { count: { type: "boolean" } }, allowPositionals: true });

const allowedFile = join(import.meta.dirname, "allowed.txt");
const files = filesIn(root, positionals);
const allowed = parseAllowed(readFileSync(allowedFile, "utf8"));
const { rest, unused } = applyAllowed(files.flatMap(findingsIn), allowed.entries);

const errors = [...allowed.errors];
// Only a check of all files can show that an entry is not needed.
if (positionals.length === 0)
  errors.push(...unused.map(({ line, words }) => `line ${line}: no finding contains "${words}"; delete the entry`));
if (positionals.length > 0 && files.length === 0) errors.push(`no file is read below ${positionals.join(", ")}`);

if (rest.length > 0) console.log(values.count ? countTable(rest) : rest.map(printFinding).join("\n"));
for (const error of errors) console.log(`${relative(root, allowedFile)}: ${error}`);
console.log(`${files.length} files, ${rest.length} findings`);
if (rest.length > 0 || errors.length > 0) process.exitCode = 1;

function findingsIn(file: string): readonly Finding[] {
  const text = readFileSync(join(root, file), "utf8");
  return check(file, text, readerOf(file)?.(text, file) ?? []);
}
