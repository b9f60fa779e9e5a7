/**
 * Records that pages and their translations have one meaning: `npm run docs:translated -- [page or page#section]...`, without
 * pages all of them. Writes nothing when a section changed in one language only, unless it is named.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { printProblem } from "./read/page.js";
import { RepositoryPages } from "./read/repository-pages.js";
import { recordTranslations } from "./translations/record-translations.js";
import { parseRecords, printRecords, recordsFile } from "./translations/records.js";

const root = join(import.meta.dirname, "../..");
const file = join(root, recordsFile);
const repository = new RepositoryPages(root);
const named = process.argv.slice(2).map((name) => relative(root, name).replaceAll("\\", "/"));
const before = existsSync(file) ? parseRecords(readFileSync(file, "utf8")) : {};
const { records, problems, changed } = recordTranslations(repository.pages, named, repository, before);

for (const problem of problems) console.log(printProblem(problem));
if (problems.length > 0) {
  console.log(`nothing was recorded: ${problems.length} problems`);
  process.exitCode = 1;
} else {
  writeFileSync(file, printRecords(records));
  console.log(`${changed} sections recorded in ${recordsFile}`);
}
