/** Converts `oneOf` choices with titles to `enum` and `enumNames`. */
export function titledAsNamed(schema: unknown): unknown {
  const { oneOf, ...rest } = schema as { readonly oneOf?: unknown };
  if (!Array.isArray(oneOf)) return schema;
  const choices = oneOf as readonly ({ readonly const?: unknown; readonly title?: unknown } | undefined)[];
  return { ...rest, enum: choices.map((choice) => choice?.const), enumNames: choices.map((choice) => choice?.title) };
}
