import { CharacterSets } from "./character-sets.js";
import { parsePattern, type PatternNode } from "./pattern-syntax.js";

/** A string that matches a pattern and has at least `least` code points if possible; undefined when none is found. */
export function sampleOf(pattern: string, least = 0): string | undefined {
  const sets = new CharacterSets(pattern);
  const root = parsePattern(pattern);
  const matches = new RegExp(pattern, "u");
  const found = [0, 1, 2, least]
    .map((more) => print(root, more, sets))
    .filter((text) => text !== undefined && matches.test(text));
  return found.find((text) => Array.from(text ?? "").length >= least) ?? found[0];
}

/** @param more how often parts are repeated beyond their minimum */
function print(node: PatternNode, more: number, sets: CharacterSets): string | undefined {
  switch (node.kind) {
    case "position":
    case "look":
      return "";
    case "backreference":
      return undefined;
    case "character": {
      const possible = sets.of(node.source);
      return possible.find((character) => /[a-z0-9]/i.test(character)) ?? possible.at(-1);
    }
    case "choice":
      return node.items.map((item) => print(item, more, sets)).find((text) => text !== undefined);
    case "sequence": {
      const parts = node.items.map((item) => print(item, more, sets));
      return parts.includes(undefined) ? undefined : parts.join("");
    }
    case "repeat":
      return print(node.of, more, sets)?.repeat(Math.min(node.most, node.least + more));
  }
}
