import type { Repository } from "../check/check-links.js";
import { comparePages } from "../check/compare-pages.js";
import { chineseOf, englishOf, isChinese } from "../languages.js";
import type { Page, Problem } from "../read/page.js";
import { problemsOf, sectionStates, translatedPages } from "./compare-with-records.js";
import type { SectionRecord, TranslationRecords } from "./records.js";

export interface Recording {
  readonly records: TranslationRecords;
  /** What cannot be recorded. */
  readonly problems: readonly Problem[];
  /** How many sections are recorded that were not before, or have changed. */
  readonly changed: number;
}

/**
 * Records that the sections of pages and their translations have one meaning. A section that changed in one language is refused,
 * unless it is named: `docs/guide/servers.md#ask-the-user`.
 *
 * @param files all files of the repository
 * @param named pages and sections, in either language; without any, all pages are recorded
 */
export function recordTranslations(
  files: readonly string[],
  named: readonly string[],
  repository: Repository,
  records: TranslationRecords,
): Recording {
  const all = translatedPages(files);
  const names = named.map(parseName);
  const problems: Problem[] = names
    .filter(({ page }) => !all.includes(page))
    .map(({ page }) => ({ file: page, line: 1, message: "no such page: name a page that is translated" }));
  const next: Record<string, Readonly<Record<string, SectionRecord>>> = {};
  let changed = 0;

  for (const page of all) {
    const own = names.filter((name) => name.page === page);
    const before = records[page];
    if (names.length > 0 && own.length === 0) {
      if (before !== undefined) next[page] = before;
      continue;
    }
    const states = sectionStates(page, repository, records);
    problems.push(...differences(page, repository));
    if (states === undefined) continue;
    for (const { anchor } of own)
      if (anchor !== undefined && !states.some((state) => state.anchor === anchor))
        problems.push({ file: page, line: 1, message: `no section "${anchor}": name the anchor of a heading` });
    const whole = own.length === 0 || own.some(({ anchor }) => anchor === undefined);
    const recorded: Record<string, SectionRecord> = {};
    for (const state of states) {
      const named = own.some(({ anchor }) => anchor === state.anchor);
      const oneSided = state.change === "english" || state.change === "chinese";
      const old = before?.[state.anchor];
      if (named || (whole && !oneSided)) {
        recorded[state.anchor] = state.now;
        if (state.change !== "none") changed++;
      } else if (old !== undefined) recorded[state.anchor] = old;
      if (whole && oneSided && !named) problems.push(...problemsOf(state));
    }
    next[page] = recorded;
  }
  return { records: next, problems, changed };
}

/** A page that differs from its translation in structure is not recorded. */
function differences(page: string, repository: Repository): readonly Problem[] {
  const [english, chinese] = [repository.page(page), repository.page(chineseOf(page))] as (Page | undefined)[];
  if (english === undefined || chinese === undefined)
    return [{ file: page, line: 1, message: `there is no Chinese page: write ${chineseOf(page)}` }];
  return comparePages(english, chinese);
}

function parseName(name: string): { readonly page: string; readonly anchor?: string } {
  const hash = name.indexOf("#");
  const path = hash === -1 ? name : name.slice(0, hash);
  const page = isChinese(path) ? englishOf(path) : path;
  return hash === -1 ? { page } : { page, anchor: name.slice(hash + 1) };
}
