/** Controls, and characters that turn text around or are not seen: a terminal would obey them, or show something else. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A server's text as it may be printed on a terminal: what a terminal would obey is shown instead, such as `\u001b`.
 * Line breaks stay.
 */
export function escapeControls(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("\t", "    ")
    .replace(obeyed, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same in one line, cut when it is long. */
export function escapeLine(text: string, length = 200): string {
  const line = escapeControls(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
