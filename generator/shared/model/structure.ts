const prose: ReadonlySet<string> = new Set(["text", "deprecated", "inheritedFrom", "default", "annotations"]);

/** A string that is equal for types or members that accept the same values; prose and provenance are left out. */
export function structureKey(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (prose.has(key) ? undefined : inner));
}
