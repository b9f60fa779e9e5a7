import { escapeHidden } from "./escape-hidden.js";
import type { HiddenTextKind } from "./hidden-text.js";
import type { ReviewFinding } from "./review.js";

const sentences: Readonly<Record<HiddenTextKind, string>> = {
  bidirectional: "characters that change the order of text",
  "zero-width": "characters without a width",
  tag: "hidden ASCII text",
  "variation-selector": "variation selectors that hide data",
  "terminal-escape": "a sequence that controls terminals",
  control: "control characters",
  format: "format characters",
  "private-use": "characters without a public meaning",
  invalid: "characters that are not valid text",
  comment: "a comment that is not displayed",
  padding: "blanks or line breaks that push text out of sight",
  "mixed-script": "letters of several alphabets that look alike",
  "look-alike": "a name that looks like another one",
  unreviewed: "a part that was not reviewed, because the value is too deep, too large, or has too many findings",
};

/**
 * Describes findings for a log or the command line: one line each, in which hidden characters are escaped.
 * @example
 * ```ts
 * renderFindings(reviewTool(tool)); // ["/description: hidden ASCII text (U+E0068) at 13: "hi", in …"]
 * ```
 */
export function renderFindings(findings: readonly ReviewFinding[]): readonly string[] {
  return findings.map(({ path, place, kind, codePoint, index, escaped, decoded }) => {
    const where = `${escapeHidden(path === "" ? "the text" : path)}${place === "name" ? " (name)" : ""}`;
    if (kind === "unreviewed") return `${where}: ${sentences[kind]}`;
    const code = codePoint === undefined ? "" : ` (U+${codePoint.toString(16).toUpperCase().padStart(4, "0")})`;
    const meaning = decoded === undefined ? "" : `"${decoded}", in `;
    return `${where}: ${sentences[kind]}${code} at ${index}: ${meaning}"${escaped}"`;
  });
}
