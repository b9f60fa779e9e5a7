const prose: ReadonlySet<string> = new Set(["text", "deprecated", "inheritedFrom", "default", "annotations", "choice"]);

/** Lists whose order says nothing: members of objects and unions (any alternative will do), and values of enums. */
const unordered: ReadonlySet<string> = new Set(["members", "values", "listed"]);

/** Equal exactly when two types or members admit the same values; discriminators follow from the alternatives. */
export function typeKey(value: unknown, isUnordered = false): string {
  if (Array.isArray(value)) {
    const keys = value.map((item) => typeKey(item));
    return `[${(isUnordered ? keys.sort() : keys).join()}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([key, inner]) => !prose.has(key) && inner !== undefined);
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${typeKey(inner, unordered.has(key))}`).join()}}`;
}
