import { commentLines, join, key, literal, type Code } from "../../shared/code/code.js";

/**
 * Keeps the strings of a server away from code printers: a printer sees only tokens. The strings are inserted afterwards,
 * quoted as member names, string literals or comments.
 */
export interface Placeholders {
  readonly member: (name: string) => string;
  readonly text: (value: string) => string;
  readonly comment: (text: string) => string;
  /** Replaces the tokens in printed code, which must not contain any other string of the server. */
  readonly restore: (printed: string) => Code;
}

export function createPlaceholders(): Placeholders {
  const known: Code[] = [];
  const token = (kind: string, printed: Code): string => `mcpwright${kind}${known.push(printed) - 1}`;
  const members = new Map<string, string>();
  return {
    // Equal member names share a token.
    member(name) {
      const made = members.get(name) ?? token("Member", key(name));
      members.set(name, made);
      return made;
    },
    text: (value) => token("Text", literal(value)),
    comment: (text) => token("Comment", join(commentLines(text.trim()), "\n * ")),
    restore: (printed) =>
      printed.replace(/"?mcpwright(?:Member|Text|Comment)(\d+)"?/g, (_whole, index: string) => {
        const word = known[Number(index)];
        if (word === undefined) throw new Error(`no word ${index}`);
        return word;
      }) as Code,
  };
}
