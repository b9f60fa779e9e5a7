import { type Passage, sentencesIn } from "./passage.js";
import { allRules } from "./rules.js";

export interface Finding {
  readonly file: string;
  /** `line` and `column` start at 1. */
  readonly line: number;
  readonly column: number;
  readonly rule: string;
  readonly words: string;
  /** The sentence around the words, in which an entry of the allow-list is searched. */
  readonly sentence: string;
  readonly advice: string;
}

/** The findings of the rules in the passages of a file, in order. */
export function check(file: string, text: string, passages: readonly Passage[]): readonly Finding[] {
  const findings = passages.flatMap(sentencesIn).flatMap((sentence) =>
    allRules.flatMap(({ id, pattern, advice }) =>
      Array.from(sentence.text.matchAll(pattern), (match) => {
        const start = sentence.start + match.index;
        return {
          start,
          finding: {
            file,
            ...placeOf(text, start),
            rule: id,
            words: withoutBreaks(text.slice(start, start + match[0].length)),
            sentence: withoutBreaks(text.slice(sentence.start, sentence.start + sentence.text.length)),
            advice,
          },
        };
      }),
    ),
  );
  return findings.sort((a, b) => a.start - b.start).map(({ finding }) => finding);
}

/** Prints a finding as one line. */
export function printFinding({ file, line, column, rule, words, advice }: Finding): string {
  const shown = words.length > 60 ? `${words.slice(0, 57)}...` : words;
  return `${file}:${line}:${column}  ${rule}  "${shown}" -> ${advice}`;
}

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Removes line breaks and the start of each line of a comment. */
function withoutBreaks(text: string): string {
  return text.replace(/\s*\n\s*(?:(?:\*|\/\/)(?= ))?\s*/g, " ");
}
