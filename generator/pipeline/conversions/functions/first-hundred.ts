/** Removes completion values after the first 100, and sets `hasMore`. */
export function firstHundred(completion: unknown): unknown {
  const values = (completion as { readonly values?: unknown } | undefined)?.values;
  return Array.isArray(values) && values.length > 100
    ? { ...(completion as object), values: values.slice(0, 100) as unknown, hasMore: true }
    : completion;
}
