import { chineseOf, isDocsPage, isEnglishOnly } from "../languages.js";
import { codeTokens } from "../read/code-tokens.js";
import type { Heading, Link, Page, Problem } from "../read/page.js";
import { isExternal, resolveTarget } from "../read/resolve-target.js";

/** Compares a Chinese page with its English page: headings, code, tables and links. */
export function comparePages(english: Page, chinese: Page): readonly Problem[] {
  const headings = compareHeadings(english, chinese);
  return [
    ...headings,
    ...compareBlocks(english, chinese),
    ...compareTables(english, chinese),
    // Links are compared by section, which only pages with equal headings allow.
    ...(headings.length === 0 ? compareLinks(english, chinese) : []),
  ];
}

/** Compares only the headings, which sections are paired by. */
export function compareHeadings(english: Page, chinese: Page): readonly Problem[] {
  const file = chinese.file;
  for (let index = 0; index < Math.max(english.headings.length, chinese.headings.length); index++) {
    const expected = english.headings[index];
    const found = chinese.headings[index];
    if (expected === undefined && found !== undefined) {
      const message = `${english.file} has no heading for "${found.text}": remove it, or add one to the English page`;
      return [{ file, line: found.line, message }];
    }
    if (expected === undefined) continue;
    const at = `"${"#".repeat(expected.level)} ${expected.text}" (${english.file}:${expected.line})`;
    if (found === undefined)
      return [{ file, line: chinese.lineCount, message: `a heading is missing: translate ${at}` }];
    if (found.level !== expected.level || (index > 0 && !hasAnchor(found, expected)))
      return [{ file, line: found.line, message: wrongHeading(found, expected, at, chinese.headings) }];
  }
  return [];
}

function hasAnchor(found: Heading, { anchor }: Heading): boolean {
  return found.statesAnchor && found.anchor === anchor;
}

function wrongHeading(found: Heading, expected: Heading, at: string, all: readonly Heading[]): string {
  if (all.some((heading) => heading !== found && hasAnchor(heading, expected)))
    return `headings are in another order: here must be the heading for ${at}`;
  if (found.level !== expected.level)
    return `the heading has level ${found.level}: it must be ${expected.level} as for ${at}`;
  const stated = found.statesAnchor ? `, not {#${found.anchor}}` : "";
  return `the heading must end with the anchor of the English one: write {#${expected.anchor}}${stated}, as for ${at}`;
}

function compareBlocks(english: Page, chinese: Page): readonly Problem[] {
  const file = chinese.file;
  const problems: Problem[] = [];
  for (const [index, expected] of english.blocks.entries()) {
    const found = chinese.blocks[index];
    const at = `${english.file}:${expected.line}`;
    if (found === undefined) {
      problems.push({ file, line: chinese.lineCount, message: `a code block is missing: copy that of ${at}` });
      break;
    }
    if (found.language !== expected.language) {
      const message = `the code block is in "${found.language}", that of ${at} in "${expected.language}": make them equal`;
      return [...problems, { file, line: found.line, message }];
    }
    const difference = firstDifference(
      codeTokens(expected.language, expected.code),
      codeTokens(found.language, found.code),
    );
    if (difference !== undefined) {
      const message = `the code is not that of ${at}: ${difference}; only comments may differ`;
      problems.push({ file, line: found.line, message });
    }
  }
  const extra = chinese.blocks[english.blocks.length];
  if (extra !== undefined)
    problems.push({ file, line: extra.line, message: `${english.file} has no such code block: remove it` });
  return problems;
}

function firstDifference(expected: readonly string[], found: readonly string[]): string | undefined {
  for (let index = 0; index < Math.max(expected.length, found.length); index++)
    if (expected[index] !== found[index]) {
      const [there, here] = [expected[index], found[index]].map((part) =>
        part === undefined ? "the end" : JSON.stringify(part.trim()),
      );
      return `there is ${there ?? ""}, here ${here ?? ""}`;
    }
  return undefined;
}

function compareTables(english: Page, chinese: Page): readonly Problem[] {
  const file = chinese.file;
  const problems: Problem[] = [];
  for (const [index, { line, rows, columns }] of english.tables.entries()) {
    const found = chinese.tables[index];
    const at = `${english.file}:${line}`;
    if (found === undefined) {
      const message = `a table is missing: translate that of ${at}`;
      return [...problems, { file, line: chinese.lineCount, message }];
    }
    if (found.rows !== rows || found.columns !== columns) {
      const message = `the table has ${size(found)}, that of ${at} has ${size({ rows, columns })}: make them equal`;
      problems.push({ file, line: found.line, message });
    }
  }
  const extra = chinese.tables[english.tables.length];
  if (extra !== undefined)
    problems.push({ file, line: extra.line, message: `${english.file} has no such table: remove it` });
  return problems;
}

function size({ rows, columns }: { readonly rows: number; readonly columns: number }): string {
  return `${rows} rows and ${columns} columns`;
}

/** Compares the links of each section, in any order: Chinese sentences can name things in another one. */
function compareLinks(english: Page, chinese: Page): readonly Problem[] {
  return english.sections.flatMap((section, index) => {
    const expected = linksOfSection(english, index).map((link) => ({
      link,
      target: chineseTarget(english.file, link),
    }));
    const found = linksOfSection(chinese, index).map((link) => ({ link, target: resolved(chinese.file, link.target) }));
    for (const { target } of [...expected]) {
      const match = found.findIndex((other) => other.target === target);
      if (match === -1) continue;
      found.splice(match, 1);
      expected.splice(
        expected.findIndex((other) => other.target === target),
        1,
      );
    }
    const line = chinese.sections[index]?.line ?? 1;
    return [
      ...expected.map(({ link, target }) => ({
        file: chinese.file,
        line,
        message: `this section needs a link to ${target}, as ${english.file}:${link.line} has it`,
      })),
      ...found.map(({ link, target }) => ({
        file: chinese.file,
        line: link.line,
        message: `the English section (${english.file}:${section.line}) has no link to ${target}: ${advice(target)}`,
      })),
    ];
  });
}

function advice(target: string): string {
  const page = target.replace(/#.*$/, "");
  return isDocsPage(page) && !page.startsWith("docs/zh/") && !isEnglishOnly(page)
    ? "link to the Chinese page"
    : "remove it, or correct its path (one more ../ out of docs/zh/)";
}

function linksOfSection({ links, sections }: Page, index: number): readonly Link[] {
  const start = sections[index]?.line ?? 1;
  const end = sections[index + 1]?.line ?? Infinity;
  return links.filter(({ line }) => line >= start && line < end);
}

/** Whether it contains text, so that there is a Chinese one. Screenshots are for both languages. */
function isDiagram(file: string): boolean {
  return /^docs\/images\/.*\.svg$/.test(file);
}

/** The target that the Chinese page must have. */
function chineseTarget(file: string, { target }: Link): string {
  const there = resolved(file, target);
  const page = there.replace(/#.*$/, "");
  return (isDocsPage(page) && !isEnglishOnly(page)) || isDiagram(page) ? chineseOf(there) : there;
}

function resolved(file: string, target: string): string {
  if (isExternal(target)) return target;
  const { path, anchor } = resolveTarget(file, target);
  return anchor === undefined ? path : `${path}#${anchor}`;
}
