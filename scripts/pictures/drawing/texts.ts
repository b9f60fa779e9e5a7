/** A text in the languages of the documentation. Words between backticks are code. */
export interface Texts {
  readonly en: string;
  readonly zh: string;
}
export type Language = keyof Texts;
export const languages = ["en", "zh"] as const satisfies readonly Language[];

/** A part of a line. */
export interface Run {
  readonly text: string;
  readonly isCode: boolean;
}

/**
 * Advance widths in thousandths of the font size: those of DejaVu Sans, one of the widest fonts that systems use for pages. In narrower
 * fonts, texts leave some room.
 */
const widths: readonly (readonly [string, number])[] = [
  ["ijl'|", 300],
  [" .,:;/!Ift[]()", 380],
  ['-"r·', 430],
  ["csz{}", 530],
  ["aeoykvxbdghnpqu0123456789?LTFJ", 640],
  ["ABCEKPRSXYZV_&+=<>~→", 720],
  ["DGHNUwOQ", 790],
  ["mM%@W", 990],
];
const widthOf = new Map(
  widths.flatMap(([characters, width]) => Array.from(characters, (one) => [one, width] as const)),
);
/** CJK characters, their punctuation, and full-width forms. */
const isWide = (character: string): boolean =>
  /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]/u.test(character);
const codeWidth = 605;

/** Estimates the width of a text, rather too wide than too narrow. */
export function textWidth(runs: readonly Run[], size: number, isBold = false): number {
  let thousandths = 0;
  for (const { text, isCode } of runs)
    for (const character of text)
      thousandths += isWide(character)
        ? 1000
        : isCode
          ? codeWidth * 0.94
          : (widthOf.get(character) ?? 700) * (isBold ? 1.1 : 1);
  return (thousandths * size) / 1000;
}

/** Splits a text into runs of prose and code. */
export function readRuns(text: string): readonly Run[] {
  return text
    .split("`")
    .map((part, index) => ({ text: part, isCode: index % 2 === 1 }))
    .filter((run) => run.text !== "");
}

/**
 * Breaks a text into lines that are at most `width` wide. Latin text breaks at spaces, Chinese text between characters, except
 * before and after punctuation that must not begin or end a line.
 * @throws RangeError when one word is wider
 */
export function wrap(text: string, width: number, size: number, isBold = false): readonly (readonly Run[])[] {
  const lines: Run[][] = [];
  let line: Run[] = [];
  for (const piece of pieces(readRuns(text))) {
    const longer = [...line, piece];
    if (line.length > 0 && textWidth(trimmed(longer), size, isBold) > width) {
      lines.push(joined(trimmed(line)));
      line = piece.text.trim() === "" ? [] : [piece];
    } else line = line.length === 0 && piece.text.trim() === "" ? [] : longer;
    if (textWidth(trimmed(line), size, isBold) > width)
      throw new RangeError(`"${piece.text}" does not fit into ${Math.round(width)} px; shorten it`);
  }
  if (line.length > 0) lines.push(joined(trimmed(line)));
  return lines;
}

/** The pieces between which a line may break. Code breaks nowhere, and stays together with punctuation after it. */
function pieces(runs: readonly Run[]): readonly Run[] {
  const found = runs.flatMap((run) =>
    run.isCode
      ? [run]
      : (run.text.match(/ +|[“（「《][^ ]|[\u2e80-\u9fff]|[^ \u2e80-\u9fff“（「《]+|[^ ]/gu) ?? []).map((text) => ({
          text,
          isCode: false,
        })),
  );
  const result: Run[] = [];
  for (const piece of found) {
    const last = result.at(-1);
    const sticks =
      !piece.isCode && /^[，。、；：！？）」》”,.;:!?)]+$/u.test(piece.text) && last && last.text.trim() !== "";
    if (sticks && !last.isCode) result[result.length - 1] = { text: last.text + piece.text, isCode: false };
    else result.push(piece);
  }
  return result;
}

function trimmed(line: readonly Run[]): readonly Run[] {
  return line.at(-1)?.text.trim() === "" ? line.slice(0, -1) : line;
}

function joined(line: readonly Run[]): Run[] {
  const result: Run[] = [];
  for (const run of line) {
    const last = result.at(-1);
    if (last?.isCode === run.isCode) result[result.length - 1] = { text: last.text + run.text, isCode: run.isCode };
    else result.push(run);
  }
  return result;
}
