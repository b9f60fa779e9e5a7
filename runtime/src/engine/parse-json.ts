/**
 * The value of a JSON text whose arrays and objects are not nested deeper than `maxDepth` levels, which is legal to
 * demand (RFC 8259, section 9): what is deeper overflows the stack of whoever walks it.
 * @param maxDepth default 1,000
 * @throws SyntaxError for a text that is no JSON; RangeError for one that is too deep
 */
export function parseJson(text: string, maxDepth = 1_000): unknown {
  const value: unknown = JSON.parse(text);
  // Each level takes two characters: most texts are too short to be too deep.
  if (text.length > 2 * maxDepth && isDeeper(value, maxDepth))
    throw new RangeError(`it is nested deeper than ${maxDepth} levels`);
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  for (const name in value) if (isDeeper((value as Readonly<Record<string, unknown>>)[name], levels - 1)) return true;
  return false;
}
