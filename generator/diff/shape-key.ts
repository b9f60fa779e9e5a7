const prose: ReadonlySet<string> = new Set(["text", "deprecated", "inheritedFrom", "default", "choice"]);

/** Lists whose order says nothing: members of objects and unions (any alternative will do), and values of enums. */
const unordered: ReadonlySet<string> = new Set(["members", "values"]);

/** Equal exactly when two types or members admit the same values; how unions are told apart follows from what they name. */
export function shapeKey(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    if (prose.has(key)) return undefined;
    return unordered.has(key) && Array.isArray(inner) ? sorted(inner) : inner;
  });
}

function sorted(list: readonly unknown[]): readonly unknown[] {
  const keyed = list.map((item) => ({ item, key: shapeKey(item) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
}
