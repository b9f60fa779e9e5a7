import { fileURLToPath } from "node:url";
import { escapeControls } from "../../shared/command/escape-controls.js";
import { shownPath } from "./find-entry.js";

/** Styles for lines on standard error. */
export interface LineStyles {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly place: (text: string) => string;
  readonly faint: (text: string) => string;
}

const same = (text: string): string => text;
const between = (begin: number, end: number) => (text: string) => `\u001b[${begin}m${text}\u001b[${end}m`;

export const plainLines: LineStyles = { error: same, warning: same, place: same, faint: same };
export const colourLines: LineStyles = {
  error: between(31, 39),
  warning: between(33, 39),
  place: between(36, 39),
  faint: between(2, 22),
};

// eslint-disable-next-line no-control-regex -- the codes by which programs colour text
const colourCode = /(\u001b\[[\d;]*m)/;
const frame = /^(\s+at )(.*?)(\(?)((?:file:\/\/|node:|\/|[A-Za-z]:[\\/])[^()]*?)(\)?)$/;
/** Characters of a line that can be a place in a stack trace: longer ones take long to match. */
const maxFrame = 2_000;
const errorLine = /^\s*(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[\w+\])?(?::|$)/;

/**
 * A line of the standard error of a server, safe for a terminal: the colours of the server are kept if colours are wanted; in stack traces, the
 * places in the project stand out, relative to the working directory.
 */
export function printServerLine(line: string, styles: LineStyles, cwd: string): string {
  const parts = line.split(colourCode);
  if (parts.length > 1) {
    const kept = styles === plainLines ? parts.filter((_part, at) => at % 2 === 0) : parts;
    return kept.map((part) => (colourCode.test(part) ? part : escapeControls(part))).join("");
  }
  const text = escapeControls(line);
  if (text.length > maxFrame) return text;
  const [, at = "", name = "", open = "", place = "", close = ""] = frame.exec(text) ?? [];
  if (place !== "") {
    if (/^node:|[\\/]node_modules[\\/]/.test(place)) return styles.faint(text);
    return `${at}${name}${open}${styles.place(shortPlace(place, cwd))}${close}`;
  }
  return errorLine.test(text) ? styles.error(text) : text;
}

/** `src/main.ts:3:9` for `file:///home/ada/src/main.ts?query:3:9`. */
function shortPlace(place: string, cwd: string): string {
  const [, location = place, position = ""] = /^(.*?)((?::\d+)*)$/.exec(place) ?? [];
  const bare = location.replace(/\?.*$/, "");
  try {
    const path = bare.startsWith("file:") ? fileURLToPath(bare) : bare;
    return `${shownPath(path, cwd)}${position}`;
  } catch {
    return place;
  }
}
