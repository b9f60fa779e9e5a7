import { escapeHidden, sliceWhole } from "./escape-hidden.js";
import type { HiddenText } from "./hidden-text.js";
import { isLookAlike, toLatinTwins } from "./look-alikes.js";

/** Alphabets with letters that look alike. */
const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
] as const;

/** Longer names are not read by people. */
const maxLength = 1_000;

/**
 * Finds why a name could be mistaken for another one (UTS #39, sections 4 and 5): a word mixes Latin letters with look-alikes of other
 * alphabets, or the whole name looks like one of ASCII characters. Names that are written in another alphabet are not found otherwise.
 */
export function findConfusable(name: string): HiddenText | undefined {
  if (!/[^\p{ASCII}]/u.test(name)) return undefined;
  const read = sliceWhole(name, 0, maxLength);
  const mixed = [...read.matchAll(/[\p{L}\p{M}]+/gu)].find(([word]) => isMixed(word));
  if (mixed) return confusable("mixed-script", read, mixed.index, mixed[0]);
  const isLong = (read.match(/\p{L}/gu) ?? []).length > 1;
  const twin = toLatinTwins(read);
  return isLong && twin !== read && !/[^\p{ASCII}]/u.test(twin) ? confusable("look-alike", read, 0, read) : undefined;
}

/**
 * Escapes look-alikes in a line: in words that mix them with Latin letters, and words of them alone, unless the line has other letters of
 * their alphabets.
 */
export function escapeLookAlikes(line: string): string {
  if (!/[^\p{ASCII}]/u.test(line)) return line;
  const isForeign = Array.from(line).some((letter) => isOtherAlphabet(letter) && !isLookAlike(letter));
  return line.replace(/[\p{L}\p{M}]+/gu, (word) => {
    const isTwin = !isForeign && !/[^\p{ASCII}]/u.test(toLatinTwins(word));
    return isMixed(word) || isTwin ? escapeHidden(word, true) : word;
  });
}

function isOtherAlphabet(letter: string): boolean {
  return alphabets.slice(1).some((alphabet) => alphabet.test(letter));
}

/** A word such as "Δt" is a usual name, because its Greek letter does not look like a Latin one. */
function isMixed(word: string): boolean {
  return alphabets.filter((alphabet) => alphabet.test(word)).length > 1 && Array.from(word).some(isLookAlike);
}

function confusable(kind: "mixed-script" | "look-alike", name: string, index: number, part: string): HiddenText {
  return {
    kind,
    index,
    length: part.length,
    codePoint: Array.from(part).find(isLookAlike)?.codePointAt(0) ?? part.codePointAt(0),
    escaped: escapeHidden(sliceWhole(name, 0, 100), true),
    decoded: escapeHidden(sliceWhole(toLatinTwins(name), 0, 200), true),
  };
}
