/**
 * Why a text deserves a second look:
 *
 * - `bidirectional`: controls that change the order in which text is shown (Trojan Source), and direction marks outside of texts that
 *   are written from right to left.
 * - `zero-width`: characters without a width, such as U+200B, joiners where no script needs them, and letters that are blank.
 * - `tag`: characters of the block U+E0000, each a hidden ASCII character.
 * - `variation-selector`: selectors that select nothing, each of which can hide a byte.
 * - `terminal-escape`: sequences that control terminals.
 * - `control`: other control characters (Cc), except tabs and line breaks.
 * - `format`: other format characters (Cf).
 * - `private-use`: characters without a public meaning (Co).
 * - `invalid`: lone surrogates and noncharacters, which programs replace differently.
 * - `comment`: comments of HTML or Markdown, which a page does not show.
 * - `padding`: blanks or line breaks that push the rest out of sight.
 * - `mixed-script`: a word that mixes Latin letters with those of other alphabets that look like Latin ones.
 * - `look-alike`: a name that looks like another one, `decoded`.
 * - `unreviewed`: a part that was not looked at, because the value is too deep or too large, or there are too many findings.
 */
export type HiddenTextKind =
  | "bidirectional"
  | "zero-width"
  | "tag"
  | "variation-selector"
  | "terminal-escape"
  | "control"
  | "format"
  | "private-use"
  | "invalid"
  | "comment"
  | "padding"
  | "mixed-script"
  | "look-alike"
  | "unreviewed";

/** A part of a text that people do not see, or that looks like something else. */
export interface HiddenText {
  readonly kind: HiddenTextKind;
  /** Where it begins in the text, in UTF-16 code units. */
  readonly index: number;
  /** Its length in UTF-16 code units. */
  readonly length: number;
  /** Its first code point; undefined if nothing was looked at. */
  readonly codePoint: number | undefined;
  /** It and the text around it, with hidden characters as `\u{…}`; at most about 100 characters of the text. */
  readonly escaped: string;
  /** The text that it hides, or the name that it looks like, if that is known; with escapes, and at most 200 characters. */
  readonly decoded?: string;
}
