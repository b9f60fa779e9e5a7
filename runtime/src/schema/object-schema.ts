/**
 * Whether a schema provably accepts objects only.
 * `depth` bounds the references to follow: a schema that references itself proves nothing.
 */
export function isObjectSchema(schema: unknown, root: unknown, depth: number): boolean {
  if (typeof schema !== "object" || !schema || !depth) return false;
  const { type, $ref, allOf, anyOf, oneOf } = schema as Record<string, unknown>;
  const proven = (part: unknown): boolean => isObjectSchema(part, root, depth - 1);
  const any = anyOf ?? oneOf;
  return (
    type === "object" ||
    (typeof $ref === "string" && proven(definition($ref, root))) ||
    (Array.isArray(allOf) && allOf.some(proven)) ||
    (Array.isArray(any) && any.every(proven))
  );
}

/** Inherited members may be found too, but they are not schemas. */
function definition($ref: string, root: unknown): unknown {
  return $ref
    .split("/")
    .slice(1)
    .reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], root);
}
