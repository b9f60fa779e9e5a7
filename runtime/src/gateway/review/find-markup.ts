import { escapeHidden, sliceWhole } from "./escape-hidden.js";
import type { HiddenText } from "./hidden-text.js";
import { surroundings } from "./surroundings.js";

/** The start of a comment of HTML, or of a link definition that Markdown does not show; or many blanks or line breaks. */
const markup =
  /(?<comment><!--)|(?<definition>^[ \t]{0,3}\[[^\]\n]{1,100}\]:[ \t]{0,10}(?:#|<>)[^\n]{0,1000})|[ \t\u00a0\u3000]{100,10000}|(?:\r?\n[ \t]{0,99}){20,500}/gmu;

/**
 * Finds comments, which a page does not show, and padding, which pushes text out of sight.
 * @param most the number of findings after which to stop
 */
export function findMarkup(text: string, most: number): HiddenText[] {
  const findings: HiddenText[] = [];
  const next = new RegExp(markup);
  for (let found; findings.length < most && (found = next.exec(text));) {
    const { index, groups } = found;
    const isComment = groups?.["comment"] !== undefined;
    const length = isComment ? commentLength(text, index) : found[0].length;
    const content = isComment ? text.slice(index + 4, index + Math.min(length, 300)).replace(/-->$/, "") : undefined;
    next.lastIndex = index + length;
    findings.push({
      kind: isComment || groups?.["definition"] !== undefined ? "comment" : "padding",
      index,
      length,
      codePoint: text.codePointAt(index),
      escaped: surroundings(text, index, length),
      ...(content !== undefined && { decoded: escapeHidden(sliceWhole(content.trim(), 0, 200)) }),
    });
  }
  return findings;
}

/** A comment that does not end hides the rest of the text. */
function commentLength(text: string, start: number): number {
  const end = text.indexOf("-->", start + 4);
  return end < 0 ? text.length - start : end + 3 - start;
}
