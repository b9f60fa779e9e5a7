import type { Tags } from "../../shared/model/source.js";
import { isPattern } from "../../shared/schema-code/keywords.js";
import { backtrackingRisk } from "../../shared/schema-code/pattern-cost.js";

/**
 * Splits a block comment into its text and the tags that are facts.
 * Both JSDoc and plain block comments are read, because some members of the schema are documented by plain ones.
 * @param refuse called with the reason when a fact tag is malformed
 */
export function readComment(comment: string, refuse: (reason: string) => never): { text?: string; tags: Tags } {
  const lines = comment
    .slice("/*".length, -"*/".length)
    .replace(/^\*+/, "")
    .replace(/\*+$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trimEnd());

  const text: string[] = [];
  const tags: { -readonly [K in keyof Tags]: Tags[K] } = {};
  let deprecated: string[] | undefined;
  let target: string[] | undefined = text;
  for (const line of lines) {
    const [, tag, rest = ""] = /^\s*@([\w-]+)\s*(.*)$/.exec(line) ?? [];
    if (tag === undefined) {
      target?.push(line);
      continue;
    }
    target = undefined;
    switch (tag) {
      case "description":
        text.push(rest);
        target = text;
        break;
      case "format":
        tags.format = rest.trim();
        break;
      case "TJS-type":
        tags.jsonType = rest.trim();
        break;
      case "minimum":
      case "maximum":
      case "exclusiveMinimum":
      case "exclusiveMaximum":
        tags[tag] = numberIn(rest) ?? refuse(`the tag @${tag} without a number`);
        break;
      case "multipleOf":
        tags[tag] = positive(numberIn(rest)) ?? refuse(`the tag @${tag} without a number above 0`);
        break;
      case "minLength":
      case "maxLength":
      case "minItems":
      case "maxItems":
        tags[tag] = /^\d{1,15}$/.test(rest.trim())
          ? Number(rest)
          : refuse(`the tag @${tag} without a non-negative integer`);
        break;
      case "pattern":
        tags[tag] = patternIn(rest.trim(), refuse);
        break;
      case "nullable":
      case "internal":
      case "uniqueItems":
        tags[tag] = true;
        break;
      case "deprecated":
        deprecated = target = [rest];
        break;
      default: // @category, @example, @see and others are not facts
    }
  }
  if (deprecated) tags.deprecated = paragraph(deprecated);
  const body = paragraph(text);
  return { ...(body && { text: body }), tags };
}

function numberIn(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

function patternIn(text: string, refuse: (reason: string) => never): string {
  if (text === "" || !isPattern(text)) return refuse("the tag @pattern without a regular expression (with the flag u)");
  const risk = backtrackingRisk(text);
  return risk === undefined
    ? text
    : refuse(`the tag @pattern with a regular expression that could take exponential time: ${risk}`);
}

/** Joins lines, keeping paragraph breaks; unwraps `{@link X | label}` to its label or name. */
export function paragraph(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(
      /\{@link(?:code|plain)?\s+([^|}\s]+)(?:\s*\|?\s*([^}]*))?\}/g,
      (_, name: string, label: string | undefined) => (label?.trim() ? label.trim() : `\`${name}\``),
    )
    .replace(/\n{2,}/g, "\n\n")
    .trim();
}
