/** A piece of a file that people read: a paragraph or more, a comment, a string. */
export interface Passage {
  /** Where it starts in the file. */
  readonly start: number;
  /** The text with the same length as in the file: blanks replace markup, and `0` replaces each character of code. */
  readonly text: string;
  /** Whether the passage is a test title, which is a sentence without a full stop. */
  readonly isTitle?: boolean;
}

export interface Sentence {
  /** Where it starts in the file. */
  readonly start: number;
  readonly text: string;
}

/** Matches the start of a paragraph, list item, heading, table cell or JSDoc tag, or the end of a sentence. */
const border =
  /\n\s*\n|\|(?:[ \t]|$)|\n[ \t]*(?=(?:[-*+]|\d+\.|#{1,6}) )|\n[ \t]*(?=@[a-z]+\b)|(?<=[.!?]["'”)*_]*)\s+(?=["'“(*_]*[A-Z0])/g;

/** Markup before the first word of a sentence. */
const opening = /^(?:\s|[-*+>|"'“(_]|#{1,6}(?= )|\d+\.(?= )|@(?:param|template|throws) \S+|@\w+)+/;

/** The sentences of a passage, without the markup around them. */
export function sentencesIn({ start, text, isTitle }: Passage): readonly Sentence[] {
  const sentences: Sentence[] = [];
  const add = (from: number, to: number): void => {
    const skipped = opening.exec(text.slice(from, to))?.[0].length ?? 0;
    const sentence = text.slice(from + skipped, to).replace(/["'”)*_\s|]+$/, "");
    if (sentence !== "") sentences.push({ start: start + from + skipped, text: isTitle ? `${sentence}.` : sentence });
  };
  let from = 0;
  for (const match of text.matchAll(border)) {
    add(from, match.index);
    from = match.index + match[0].length;
  }
  add(from, text.length);
  return sentences;
}

/** Replaces each match of a pattern by blanks, or by `0` for code. Line ends stay. */
export function mask(text: string, pattern: RegExp, by: " " | "0" = " "): string {
  return text.replace(pattern, (found: string) => found.replace(/[^\n]/g, by));
}
