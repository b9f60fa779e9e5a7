/** Matches a character that people do not see. Tabs and line breaks are not among them, nor format characters with a shape of their own. */
export const hiddenCharacter =
  /[^\P{Cc}\t\n\r]|(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

/** Also spaces of other widths and separators of lines, and what the engine does not know. A backslash before `u{` could be read as an escape. */
const notShown = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|\\(?=u\{)/gu;

/** In a JSON text, line breaks stand between values; inside of strings, JSON has escaped them. */
const notShownInJson = new RegExp(`${hiddenCharacter.source}|(?! )\\p{Z}`, "gu");

/**
 * Makes a text safe to show in one line: characters that people do not see, or that a terminal interprets, become `\u{…}` with their
 * code point. Different texts stay different.
 * @param asciiOnly whether also to escape all characters outside of ASCII, which may look like others
 */
export function escapeHidden(text: string, asciiOnly = false): string {
  const escaped = text.replace(notShown, (found) => (found === "\\" ? "\\\\" : escapeOf(found)));
  return asciiOnly ? escaped.replace(/[^\p{ASCII}]/gu, escapeOf) : escaped;
}

/** Escapes hidden characters in a JSON text. Parsers read the same value from it. */
export function escapeJson(json: string): string {
  return json.replace(notShownInJson, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${hex(found.charCodeAt(at)).padStart(4, "0")}`).join(""),
  );
}

/**
 * Escapes a text and puts it in quotes.
 * @param most characters of the text to show; the number of the others follows
 */
export function quote(text: string, most = 100): string {
  const cut = sliceWhole(text, 0, most);
  const rest = text.length - cut.length;
  return `"${escapeHidden(cut)}"${rest === 0 ? "" : ` (and ${rest} more characters)`}`;
}

/** The part of a text from `start` to `end`, shortened so that it does not begin or end inside of a surrogate pair. */
export function sliceWhole(text: string, start: number, end: number): string {
  const from = splitsPair(text, start) ? start + 1 : Math.max(0, start);
  const to = splitsPair(text, end) ? end - 1 : end;
  return text.slice(from, Math.max(from, to));
}

function splitsPair(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff && at < text.length;
}

function escapeOf(character: string): string {
  return `\\u{${hex(character.codePointAt(0) ?? 0)}}`;
}

function hex(code: number): string {
  return code.toString(16);
}
