/** Makes of a choice whose values have titles beside them one whose titles are a list of their own. */
export function titledAsNamed(schema: unknown): unknown {
  const { oneOf, ...rest } = schema as { readonly oneOf?: unknown };
  if (!Array.isArray(oneOf)) return schema;
  const choices = oneOf as readonly ({ readonly const?: unknown; readonly title?: unknown } | undefined)[];
  return { ...rest, enum: choices.map((choice) => choice?.const), enumNames: choices.map((choice) => choice?.title) };
}
