import type { Passage } from "../passage.js";

/** Reads comments at the start of a line, and strings of several words. */
export function readShell(text: string): readonly Passage[] {
  return Array.from(
    text.matchAll(/^[ \t]*# ?(.+)$|(["'])((?:(?!\2)[^\n])* (?:(?!\2)[^\n])* (?:(?!\2)[^\n])*)\2/gm),
    (match) => {
      const passage = match[1] ?? match[3] ?? "";
      return { start: match.index + match[0].indexOf(passage), text: passage };
    },
  );
}
