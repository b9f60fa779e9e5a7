import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkPages } from "../../scripts/docs/check/check-pages.js";
import { printProblem } from "../../scripts/docs/read/page.js";
import { RepositoryPages } from "../../scripts/docs/read/repository-pages.js";
import { checkTranslations } from "../../scripts/docs/translations/compare-with-records.js";
import { parseRecords, recordsFile } from "../../scripts/docs/translations/records.js";
import { root } from "../cli/command-line.js";

const repository = new RepositoryPages(root);

test(
  "the pages of the repository have live links, allowed lengths, and translations of the same structure",
  { timeout: 120_000 },
  () => {
    expect(checkPages(repository.pages, repository).map(printProblem)).toEqual([]);
  },
);

test("no section changed in one language only", () => {
  const records = parseRecords(readFileSync(join(root, recordsFile), "utf8"));
  expect(checkTranslations(repository.pages, repository, records).map(printProblem)).toEqual([]);
});
