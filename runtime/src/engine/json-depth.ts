/**
 * What keeps the value of a JSON text from being read on: arrays and objects that are nested deeper than `maxDepth` levels
 * overflow the stack of whoever walks them. To refuse them is legal (RFC 8259, section 9).
 * @param maxDepth default 1,000
 */
export function depthProblem(text: string, value: unknown, maxDepth = 1_000): string | undefined {
  // Each level takes two characters: most texts are too short to be too deep.
  if (text.length <= 2 * maxDepth || !isDeeper(value, maxDepth)) return undefined;
  return `The message is nested deeper than ${maxDepth} levels`;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  for (const name in value) if (isDeeper((value as Readonly<Record<string, unknown>>)[name], levels - 1)) return true;
  return false;
}
