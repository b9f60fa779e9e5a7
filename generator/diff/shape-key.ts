const prose: ReadonlySet<string> = new Set(["text", "deprecated", "inheritedFrom", "default", "choice"]);

/** Equal exactly when two types or members admit the same values; how unions are told apart follows from what they name. */
export function shapeKey(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (prose.has(key) ? undefined : inner));
}
