import { commentLines, join, key, literal, type Code } from "../../shared/code/code.js";

/**
 * The words of a server, kept away from whoever prints code: a printer sees only tokens of ours, and what these stand for
 * is put in afterwards, each as what it is: a member's name, a text, a comment.
 */
export interface Placeholders {
  readonly member: (name: string) => string;
  readonly text: (value: string) => string;
  readonly comment: (text: string) => string;
  /** Puts the words back into printed code, which may hold nothing else of the server. */
  readonly restore: (printed: string) => Code;
}

export function createPlaceholders(): Placeholders {
  const known: Code[] = [];
  const token = (kind: string, printed: Code): string => `mcpwright${kind}${known.push(printed) - 1}`;
  const members = new Map<string, string>();
  return {
    // A member that stands in several places is one and the same.
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
