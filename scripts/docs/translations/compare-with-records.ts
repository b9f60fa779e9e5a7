import { compareHeadings } from "../check/compare-pages.js";
import type { Repository } from "../check/check-links.js";
import { isHandWritten } from "../check/check-pages.js";
import { chineseOf, isChinese } from "../languages.js";
import type { Problem, Section } from "../read/page.js";
import { recordsFile, type SectionRecord, type TranslationRecords } from "./records.js";
import { sectionDigest } from "./section-digest.js";

/** What happened to a section since its translation was recorded. */
export interface SectionState {
  /** The path of the English page. */
  readonly page: string;
  readonly anchor: string;
  readonly english: Section;
  readonly chinese: Section;
  readonly now: SectionRecord;
  readonly change: "none" | "new" | "both" | "english" | "chinese";
}

/** The hand-written English pages among files, in order. */
export function translatedPages(files: readonly string[]): readonly string[] {
  return files.filter((file) => isHandWritten(file) && !isChinese(file));
}

/** The states of the sections of a page; `undefined` if a page is missing or the headings differ, which other checks report. */
export function sectionStates(
  page: string,
  repository: Repository,
  records: TranslationRecords,
): readonly SectionState[] | undefined {
  const english = repository.page(page);
  const chinese = repository.page(chineseOf(page));
  if (english === undefined || chinese === undefined || compareHeadings(english, chinese).length > 0) return undefined;
  return english.sections.flatMap((section, index) => {
    const other = chinese.sections[index];
    return other === undefined ? [] : [stateOf(page, section, other, records)];
  });
}

function stateOf(page: string, english: Section, chinese: Section, records: TranslationRecords): SectionState {
  const now = { en: sectionDigest(english.text), zh: sectionDigest(chinese.text) };
  const recorded = records[page]?.[english.anchor];
  return { page, anchor: english.anchor, english, chinese, now, change: changeOf(now, recorded) };
}

function changeOf(now: SectionRecord, recorded: SectionRecord | undefined): SectionState["change"] {
  if (recorded === undefined) return "new";
  if (now.en !== recorded.en) return now.zh === recorded.zh ? "english" : "both";
  return now.zh === recorded.zh ? "none" : "chinese";
}

/** Finds sections that changed since their translation was recorded, and records of pages or sections that do not exist. */
export function checkTranslations(
  files: readonly string[],
  repository: Repository,
  records: TranslationRecords,
): readonly Problem[] {
  const pages = translatedPages(files);
  const changed = pages.flatMap((page) => {
    const states = sectionStates(page, repository, records);
    if (states === undefined) return [];
    if (records[page] === undefined) return states.slice(0, 1).flatMap(problemsOf);
    return [...states.flatMap(problemsOf), ...unknownSections(page, states, records)];
  });
  const gone = Object.keys(records).filter((page) => !pages.includes(page));
  return [
    ...changed,
    ...gone.map((page) => ({
      file: recordsFile,
      line: 1,
      message: `records ${page}, which is not a translated page: run npm run docs:translated`,
    })),
  ];
}

/** The problem of a section, at the page that must follow. */
export function problemsOf(state: SectionState): readonly Problem[] {
  const { page, change, english, chinese } = state;
  const [en, zh] = [`${page}:${english.line}`, `${chineseOf(page)}:${chinese.line}`];
  const record = `run npm run docs:translated -- ${page}`;
  const typo = `if its meaning is the same, run npm run docs:translated -- "${page}#${state.anchor}"`;
  switch (change) {
    case "none":
      return [];
    case "new":
      return [{ file: page, line: english.line, message: `the translation in ${zh} is not recorded: ${record}` }];
    case "both":
      return [
        { file: page, line: english.line, message: `the section and its translation in ${zh} have changed: ${record}` },
      ];
    case "english":
      return [
        {
          file: chineseOf(page),
          line: chinese.line,
          message: `the English section (${en}) has changed: change this one, and ${record}; ${typo}`,
        },
      ];
    case "chinese":
      return [
        {
          file: page,
          line: english.line,
          message: `the Chinese section (${zh}) has changed: change this one, and ${record}; ${typo}`,
        },
      ];
  }
}

function unknownSections(
  page: string,
  states: readonly SectionState[],
  records: TranslationRecords,
): readonly Problem[] {
  const known = new Set(states.map(({ anchor }) => anchor));
  return Object.keys(records[page] ?? {})
    .filter((anchor) => !known.has(anchor))
    .map((anchor) => ({
      file: recordsFile,
      line: 1,
      message: `records the section "${anchor}" of ${page}, which does not exist: run npm run docs:translated -- ${page}`,
    }));
}
