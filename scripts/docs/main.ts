/**
 * Checks pages: `npm run docs:check -- [page]...`, without pages all of the repository. It finds dead links and anchors, pages of
 * `docs/` that are too long or lack a translation, differences between an English page and its Chinese page, and sections that
 * changed in one language only.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { chineseOf, englishOf, isChinese, isDocsPage } from "./languages.js";
import { checkPages } from "./check/check-pages.js";
import { printProblem, type Problem } from "./read/page.js";
import { RepositoryPages } from "./read/repository-pages.js";
import { checkTranslations } from "./translations/compare-with-records.js";
import { parseRecords, recordsFile } from "./translations/records.js";

const root = join(import.meta.dirname, "../..");
const repository = new RepositoryPages(root);
const named = process.argv.slice(2).map((path) => relative(root, path).replaceAll("\\", "/"));
const files = named.length > 0 ? [...new Set(named.flatMap(withOtherLanguage))] : repository.pages;

const problems = [...checkPages(files, repository), ...checkRecords()];
for (const problem of problems) console.log(printProblem(problem));
console.log(`${files.length} pages, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;

/** A page of `docs/` is checked together with its translation. */
function withOtherLanguage(file: string): readonly string[] {
  if (!isDocsPage(file)) return [file];
  const other = isChinese(file) ? englishOf(file) : chineseOf(file);
  return existsSync(join(root, other)) ? [file, other] : [file];
}

/** Compares the files with what was recorded about them; without a file of records, nothing was. */
function checkRecords(): readonly Problem[] {
  const file = join(root, recordsFile);
  if (!existsSync(file)) return [];
  const records = Object.entries(parseRecords(readFileSync(file, "utf8")));
  const ofFiles = records.filter(([page]) => named.length === 0 || files.includes(page));
  return checkTranslations(files, repository, Object.fromEntries(ofFiles));
}
