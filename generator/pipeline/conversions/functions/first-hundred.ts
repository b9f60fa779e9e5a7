/** Cuts a completion to the values that may be sent, and says that there are more. */
export function firstHundred(completion: unknown): unknown {
  const values = (completion as { readonly values?: unknown } | undefined)?.values;
  return Array.isArray(values) && values.length > 100
    ? { ...(completion as object), values: values.slice(0, 100) as unknown, hasMore: true }
    : completion;
}
