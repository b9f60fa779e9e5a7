import { mask, type Passage } from "../passage.js";

/** Reads a document without its code, link targets and tags. */
export function readMarkdown(text: string): readonly Passage[] {
  return [{ start: 0, text: maskMarkup(maskIndentedCode(text)) }];
}

/** Masks the markup of documents and doc comments. */
export function maskMarkup(text: string): string {
  let masked = mask(text, /^[ \t]*(```+|~~~+)[^]*?(?:^[ \t]*\1[ \t]*$|(?![^]))/gm);
  masked = mask(masked, /(`+)(?!`)[^]*?[^`]\1(?!`)/g, "0");
  masked = mask(masked, /<!--[^]*?-->|<\/?[a-zA-Z][^<>\n]*>/g);
  masked = mask(masked, /(?<=\])\([^()\s]*(?:\s"[^"]*")?\)/g);
  return mask(masked, /https?:\/\/\S+/g, "0");
}

/** Masks indented code: lines with four blanks after an empty line, unless they continue a list. */
function maskIndentedCode(text: string): string {
  return text.replace(/(?<=^(?!\s*(?:[-*+]|\d+\.) | {2,}).*\n\s*\n)(?: {4}.*(?:\n|$)|[ \t]*\n(?= {4}))+/gm, (code) =>
    code.replace(/[^\n]/g, " "),
  );
}
