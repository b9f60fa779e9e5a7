import type { Problem } from "../read/page.js";
import type { Claim, OtherNumbers } from "./claim.js";

const number = String.raw`\d+(?:\.\d+)?`;
const figure = `(${number}(?: (?:to|至|到) ${number})?)`;

/**
 * Compares the figures of a page with what was measured. Each claim must be in the page, and each figure of the page in a claim.
 * @param isAllFigures whether each number of the page is a figure; otherwise only those in paragraphs that mention CPU or a benchmark
 */
export function checkFigures(
  page: string,
  text: string,
  {
    claims,
    others,
    isAllFigures,
  }: { claims: readonly Claim[]; others: readonly OtherNumbers[]; isAllFigures: boolean },
): readonly Problem[] {
  const problems: Problem[] = [];
  let rest = withoutReferences(text);
  for (const { words, measured } of claims.filter((claim) => claim.page === page)) {
    const match = patternOf(words).exec(rest);
    if (!match) {
      problems.push({
        file: page,
        line: 1,
        message: `does not contain "${words}": change the page, or scripts/docs/figures/claims.ts`,
      });
      continue;
    }
    const line = lineAt(text, match.index);
    match.slice(1).forEach((stated, index) => {
      const parts = stated.split(/\s+(?:to|至|到)\s+/);
      const expected = printMeasured(measured[index] ?? [], parts);
      if (expected !== parts.join(" to "))
        problems.push({
          file: page,
          line,
          message: `states ${parts.join(" to ")}, measured: ${expected} ("${words}")`,
        });
    });
    rest = blank(rest, match);
  }
  for (const { words } of others.filter((other) => other.page === page)) {
    const match = patternOf(words).exec(rest);
    if (match) rest = blank(rest, match);
    else
      problems.push({
        file: page,
        line: 1,
        message: `does not contain "${words}": delete it from scripts/docs/figures/claims.ts`,
      });
  }
  return [...problems, ...unexplained(page, rest, isAllFigures)];
}

function unexplained(page: string, text: string, isAllFigures: boolean): readonly Problem[] {
  const problems: Problem[] = [];
  let offset = 0;
  for (const paragraph of text.split(/(?<=\n\n)/)) {
    const start = offset;
    offset += paragraph.length;
    if (!isAllFigures && !/\bCPU\b|\bbench\b|benchmark/.test(paragraph)) continue;
    for (const match of paragraph.matchAll(isAllFigures ? /\d[\d.,]*/g : /\d[\d.,]*\s*(?:times|倍|µs|ms|kB|MB)/g))
      problems.push({
        file: page,
        line: lineAt(text, start + match.index),
        message: `states ${match[0].trim()} without a source: add the sentence to scripts/docs/figures/claims.ts`,
      });
  }
  return problems;
}

/** Blanks code blocks, code, comments, targets of links and revisions, which contain no figures, but keeps all positions. */
function withoutReferences(text: string): string {
  return text.replace(
    /^```[^]*?^```|`[^`\n]*`|<!--[^]*?-->|\]\([^)\n]*\)|\{#[^}\n]*\}|\b20\d\d-\d\d-\d\d\b|^ *\d+\. /gm,
    (found) => found.replace(/[0-9]/g, "_"),
  );
}

function patternOf(words: string): RegExp {
  const escaped = withoutReferences(words).replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(escaped.replaceAll("{}", figure).replaceAll(" ", String.raw`\s+`), "u");
}

/** Prints the range of values; each end with as many digits as the page states. */
function printMeasured(values: readonly number[], stated: readonly string[]): string {
  const digits = (part: string | undefined): number => part?.split(".")[1]?.length ?? 0;
  const least = Math.min(...values).toFixed(digits(stated[0]));
  const most = Math.max(...values).toFixed(digits(stated.at(-1)));
  return least === most ? least : `${least} to ${most}`;
}

function blank(text: string, { index, 0: found }: RegExpExecArray): string {
  return text.slice(0, index) + found.replace(/[^\s]/g, "_") + text.slice(index + found.length);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
