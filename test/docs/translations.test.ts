import { describe, expect, test } from "vitest";
import { printProblem } from "../../scripts/docs/read/page.js";
import { checkTranslations } from "../../scripts/docs/translations/compare-with-records.js";
import { recordTranslations } from "../../scripts/docs/translations/record-translations.js";
import { parseRecords, printRecords, type TranslationRecords } from "../../scripts/docs/translations/records.js";
import { sectionDigest } from "../../scripts/docs/translations/section-digest.js";
import { pagesOf } from "./pages-of.js";

const files = {
  "docs/a.md": "# A\n\nFirst.\n\n## B\n\nSecond.\n",
  "docs/zh/a.md": "# 甲\n\n第一。\n\n## 乙 {#b}\n\n第二。\n",
  "docs/c.md": "# C\n",
  "docs/zh/c.md": "# 丙\n",
};
type Files = Readonly<Record<string, string>>;

function record(all: Files, named: readonly string[] = [], before: TranslationRecords = {}) {
  const { problems, ...rest } = recordTranslations(Object.keys(all), named, pagesOf(all), before);
  return { ...rest, problems: problems.map(printProblem) };
}

function check(all: Files, records: TranslationRecords): readonly string[] {
  return checkTranslations(Object.keys(all), pagesOf(all), records).map(printProblem);
}

const { records } = record(files);
const english = { ...files, "docs/a.md": files["docs/a.md"].replace("Second.", "Third.") };
const chinese = { ...files, "docs/zh/a.md": files["docs/zh/a.md"].replace("第二。", "第三。") };
const both = { ...english, "docs/zh/a.md": chinese["docs/zh/a.md"] };
const remedyOf = (page: string) =>
  `change this one, and run npm run docs:translated -- ${page}; if its meaning is the same, run npm run docs:translated -- "${page}#b"`;

describe("checked with records", () => {
  test("unchanged sections have no problem", () => {
    expect(check(files, records)).toEqual([]);
  });

  test.each([
    ["English", english, `docs/zh/a.md:5  the English section (docs/a.md:5) has changed: ${remedyOf("docs/a.md")}`],
    ["Chinese", chinese, `docs/a.md:5  the Chinese section (docs/zh/a.md:5) has changed: ${remedyOf("docs/a.md")}`],
    [
      "both languages",
      both,
      "docs/a.md:5  the section and its translation in docs/zh/a.md:5 have changed: run npm run docs:translated -- docs/a.md",
    ],
  ])("a section that changed in %s", (_, changed, problem) => {
    expect(check(changed, records)).toEqual([problem]);
  });

  test("a section that was never recorded", () => {
    expect(check(files, { ...records, "docs/c.md": {} })).toEqual([
      "docs/c.md:1  the translation in docs/zh/c.md:1 is not recorded: run npm run docs:translated -- docs/c.md",
    ]);
  });

  test("a page that was never recorded is one problem", () => {
    expect(check(files, { "docs/c.md": records["docs/c.md"] ?? {} })).toEqual([
      "docs/a.md:1  the translation in docs/zh/a.md:1 is not recorded: run npm run docs:translated -- docs/a.md",
    ]);
  });

  test("records of pages and sections that do not exist", () => {
    const pair = { en: "0", zh: "0" };
    expect(check(files, { ...records, "docs/none.md": {}, "docs/c.md": { ...records["docs/c.md"], x: pair } })).toEqual(
      [
        'docs/translations.json:1  records the section "x" of docs/c.md, which does not exist: run npm run docs:translated -- docs/c.md',
        "docs/translations.json:1  records docs/none.md, which is not a translated page: run npm run docs:translated",
      ],
    );
  });

  test("pages that lack a translation, or headings of it, are left to other checks", () => {
    expect(check({ "docs/a.md": "# A\n" }, {})).toEqual([]);
    expect(check({ "docs/a.md": "# A\n", "docs/zh/a.md": "# 甲\n\n## 乙 {#b}\n" }, {})).toEqual([]);
  });
});

describe("recorded", () => {
  test("all pages", () => {
    expect(record(files)).toMatchObject({ changed: 3, problems: [] });
    expect(Object.keys(records)).toEqual(["docs/a.md", "docs/c.md"]);
    expect(Object.keys(records["docs/a.md"] ?? {})).toEqual(["", "b"]);
  });

  test("a section that changed in both languages", () => {
    const after = record(both, ["docs/zh/a.md"], records);
    expect(after).toMatchObject({ changed: 1, problems: [] });
    expect(check(both, after.records)).toEqual([]);
  });

  test("not a section that changed in one language", () => {
    const after = record(english, [], records);
    expect(after.problems).toEqual([
      `docs/zh/a.md:5  the English section (docs/a.md:5) has changed: ${remedyOf("docs/a.md")}`,
    ]);
    expect(after.records).toEqual(records);
  });

  test("a section that changed in one language, when it is named", () => {
    const after = record(english, ["docs/a.md#b"], records);
    expect(after).toMatchObject({ changed: 1, problems: [] });
    expect(check(english, after.records)).toEqual([]);
  });

  test("only the named pages, while the others keep their records", () => {
    expect(record(both, ["docs/c.md"], records)).toEqual({ records, changed: 0, problems: [] });
  });

  test("without pages that were deleted", () => {
    const { "docs/c.md": _c, "docs/zh/c.md": _zh, ...rest } = files;
    expect(Object.keys(record(rest, [], records).records)).toEqual(["docs/a.md"]);
  });

  test.each([
    ["docs/none.md", "docs/none.md:1  no such page: name a page that is translated"],
    ["docs/a.md#x", 'docs/a.md:1  no section "x": name the anchor of a heading'],
  ])("not %s", (name, problem) => {
    expect(record(files, [name], records).problems).toEqual([problem]);
  });

  test("not pages that differ in structure", () => {
    const other = { ...files, "docs/zh/c.md": "# 丙\n\n```sh\nls\n```\n" };
    expect(record(other).problems).toEqual(["docs/zh/c.md:3  docs/c.md has no such code block: remove it"]);
    expect(record({ "docs/c.md": "# C\n" }).problems).toEqual([
      "docs/c.md:1  there is no Chinese page: write docs/zh/c.md",
    ]);
  });

  test("as text that is read again", () => {
    expect(parseRecords(printRecords(records))).toEqual(records);
    expect(printRecords(records)).toMatch(/^\{\n {2}"docs\/a.md": \{\n {4}"": "[\da-f]{12} [\da-f]{12}",\n/);
  });
});

describe("a digest", () => {
  const digest = sectionDigest("# A\n\nOne two.\n\n| a | b |\n| --- | --- |\n\n```sh\na  b\n```\n");

  test("ignores how lines are joined, and how wide tables are", () => {
    expect(sectionDigest("# A\n\nOne\ntwo.\n\n| a   | b |\n| ------ | --- |\n\n```sh\na  b\n```\n\n")).toBe(digest);
  });

  test.each(["One three.", "One two!"])("changes with words: %s", (text) => {
    expect(sectionDigest(`# A\n\n${text}\n\n| a | b |\n| --- | --- |\n\n\`\`\`sh\na  b\n\`\`\`\n`)).not.toBe(digest);
  });

  test("changes with the blanks of code", () => {
    expect(sectionDigest("# A\n\nOne two.\n\n| a | b |\n| --- | --- |\n\n```sh\na b\n```\n")).not.toBe(digest);
  });
});
