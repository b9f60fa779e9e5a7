import type { Tags } from "../../shared/model/source.js";

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
      case "minItems":
      case "maxItems":
        tags[tag] = /^-?\d+(\.\d+)?$/.test(rest.trim()) ? Number(rest) : refuse(`the tag @${tag} without a number`);
        break;
      case "nullable":
      case "internal":
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
