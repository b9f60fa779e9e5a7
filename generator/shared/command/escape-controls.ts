/** Control characters, and characters that reverse text or are invisible. */
// eslint-disable-next-line no-control-regex -- matches control characters
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Makes a server's text safe for a terminal: control characters are printed as escapes such as `\u001b`.
 * Line breaks are kept.
 */
export function escapeControls(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("\t", "    ")
    .replace(obeyed, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Like `escapeControls`, but on one line and truncated to `length`. */
export function escapeLine(text: string, length = 200): string {
  const line = escapeControls(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
