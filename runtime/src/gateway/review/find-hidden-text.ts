import { escapeHidden, hiddenCharacter, sliceWhole } from "./escape-hidden.js";
import { findMarkup } from "./find-markup.js";
import type { HiddenText, HiddenTextKind } from "./hidden-text.js";
import { legitimateLength, matchAt } from "./legitimate-use.js";
import { surroundings } from "./surroundings.js";

export interface FindHiddenTextOptions {
  /**
   * Also finds comments and padding, for texts that people approve, such as descriptions. In results they are common: pages have
   * comments. Default: `false`.
   */
  readonly markup?: boolean;
  /** Whether the text is a name, in which hyphenation points have no use. Default: `false`. */
  readonly isName?: boolean;
}

/** Findings per text. A text with so many is suspicious without the others. */
const maxFindings = 100;

/** Sequences of ECMA-48. */
const terminalEscape =
  // eslint-disable-next-line no-control-regex -- matches control characters
  /(?:\x1b\[|\x9b)[0-?]{0,10000}[ -/]{0,10000}[@-~]|\x1b[\]PX^_][^\x1b\x07]{0,10000}(?:\x07|\x1b\\)?|\x1b/uy;

/** What runs of hidden characters are: the first pattern that matches. A pattern without a bound would need a stack as large as the text. */
const kinds: readonly (readonly [HiddenTextKind, RegExp])[] = [
  ["terminal-escape", terminalEscape],
  ["tag", /[\u{e0000}-\u{e007f}]{1,10000}/uy],
  ["variation-selector", /[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{1,10000}/uy],
  ["bidirectional", /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,10000}/uy],
  // eslint-disable-next-line no-control-regex -- an escape sequence ends the run
  ["control", /[^\P{Cc}\t\n\r\x1b\x9b]{1,10000}|\x9b/uy],
  ["private-use", /\p{Co}{1,10000}/uy],
  ["invalid", /[\p{Cs}\p{Noncharacter_Code_Point}]{1,10000}/uy],
  ["zero-width", /[\p{Default_Ignorable_Code_Point}\u2800]{1,10000}/uy],
  ["format", /\p{Cf}{1,10000}/uy],
];

/**
 * Finds characters that people do not see, and that a model reads: at most 100 findings, in order. Joiners, selectors and marks in their
 * legitimate use are not found: in emoji, and in scripts such as Persian or Hindi that need them.
 * @example
 * ```ts
 * findHiddenText("Adds numbers.\u{e0068}\u{e0069}"); // [{ kind: "tag", index: 13, decoded: "hi", … }]
 * ```
 */
export function findHiddenText(text: string, options: FindHiddenTextOptions = {}): readonly HiddenText[] {
  const markup = options.markup === true ? findMarkup(text, maxFindings) : [];
  if (!hiddenCharacter.test(text)) return markup;
  const hidden = [...findCharacters(text, options.isName === true)];
  return markup.length === 0 ? hidden : [...markup, ...hidden].sort((a, b) => a.index - b.index).slice(0, maxFindings);
}

function* findCharacters(text: string, isName: boolean): Generator<HiddenText, void, undefined> {
  const next = new RegExp(hiddenCharacter, "gu");
  for (let count = 0, found; count < maxFindings && (found = next.exec(text));) {
    const { index } = found;
    const legitimate = legitimateLength(text, index, isName);
    if (legitimate > 0) {
      next.lastIndex = index + legitimate;
      continue;
    }
    const { kind, length } = runAt(text, index, found[0].length);
    const decoded = decode(kind, text.slice(index, index + length));
    count++;
    next.lastIndex = index + length;
    yield {
      kind,
      index,
      length,
      codePoint: text.codePointAt(index),
      escaped: surroundings(text, index, length),
      ...(decoded !== undefined && { decoded }),
    };
  }
}

function runAt(text: string, index: number, single: number): { kind: HiddenTextKind; length: number } {
  for (const [kind, pattern] of kinds) {
    const length = matchAt(pattern, text, index);
    if (length > 0) return { kind, length };
  }
  return { kind: "format", length: single };
}

/** The text that a run of characters hides. */
function decode(kind: HiddenTextKind, run: string): string | undefined {
  if (kind !== "tag" && kind !== "variation-selector") return undefined;
  const codes = Array.from(run, (character) => character.codePointAt(0) ?? 0);
  if (kind === "tag")
    return shorten(String.fromCharCode(...codes.map((code) => code & 0x7f).filter((code) => code >= 0x20)));
  // One selector hides at most a byte, which may be an accident.
  if (codes.length < 2) return undefined;
  const bytes = codes.map((code) => (code >= 0xe0100 ? code - 0xe0100 + 16 : code & 0xf));
  return shorten(new TextDecoder().decode(new Uint8Array(bytes)));
}

function shorten(text: string): string {
  return escapeHidden(sliceWhole(text, 0, 200));
}
