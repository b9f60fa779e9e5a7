import { chineseOf, englishOf, isChinese, isDocsPage, isEnglishOnly, maxLines } from "../languages.js";
import type { Page, Problem } from "../read/page.js";
import { checkLinks, type Repository } from "./check-links.js";
import { comparePages } from "./compare-pages.js";

/** Checks pages: their links, and for hand-written pages of `docs/` also length, translation and structure. */
export function checkPages(files: readonly string[], repository: Repository): readonly Problem[] {
  const problems = files.flatMap((file) => {
    const page = repository.page(file);
    if (page === undefined) return [{ file, line: 1, message: "no such page: name a Markdown file of the repository" }];
    return [
      ...checkLinks(page, repository),
      ...(isHandWritten(file) ? [...checkLength(page), ...checkEmphasis(page)] : []),
    ];
  });
  const english = new Set(files.filter(isHandWritten).map((file) => (isChinese(file) ? englishOf(file) : file)));
  return [...problems, ...[...english].flatMap((file) => checkTranslation(file, repository))];
}

/** Whether a page of `docs/` is written by people, in both languages. */
export function isHandWritten(file: string): boolean {
  return isDocsPage(file) && !isEnglishOnly(isChinese(file) ? englishOf(file) : file);
}

function checkLength({ file, lineCount }: Page): readonly Problem[] {
  if (lineCount <= maxLines) return [];
  const message = `the page has ${lineCount} lines, of which ${maxLines} are allowed: split it by what readers want to do`;
  return [{ file, line: maxLines + 1, message }];
}

/** Between Chinese punctuation and characters, asterisks are characters. */
function checkEmphasis({ file, strayAsterisks }: Page): readonly Problem[] {
  const message = "the page shows ** here: put blanks around the bold text, or its punctuation outside of it";
  return strayAsterisks.map((line) => ({ file, line, message }));
}

function checkTranslation(file: string, repository: Repository): readonly Problem[] {
  const english = repository.page(file);
  const chinese = repository.page(chineseOf(file));
  if (english === undefined && chinese === undefined) return [];
  if (english === undefined)
    return [{ file: chineseOf(file), line: 1, message: `there is no English page: write ${file}, or delete this one` }];
  if (chinese === undefined)
    return [{ file, line: 1, message: `there is no Chinese page: write ${chineseOf(file)}, or delete this one` }];
  return comparePages(english, chinese);
}
