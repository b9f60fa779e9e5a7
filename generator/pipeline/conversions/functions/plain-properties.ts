/** Replaces property schemas `true` and `false` with equivalent objects. */
export function plainProperties(schema: unknown): unknown {
  const properties = (schema as { readonly properties?: unknown } | undefined)?.properties ?? undefined;
  if (typeof properties !== "object" || !Object.values(properties).some((one) => typeof one === "boolean"))
    return schema;
  const plain = (one: unknown): unknown => (one === true ? {} : one === false ? { not: {} } : one);
  const entries = Object.entries(properties).map(([name, one]) => [name, plain(one)] as const);
  return { ...(schema as object), properties: Object.fromEntries(entries) };
}
