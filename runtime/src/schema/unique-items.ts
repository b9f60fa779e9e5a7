import { canonicalJson } from "../jsonrpc/canonical-json.js";

/** Whether no two items are equal as JSON values, in time linear in their size. */
export function areUnique(items: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    // No key of another type begins with a quote.
    const key = typeof item === "string" ? `"${item}` : typeof item === "object" ? canonicalJson(item) : item;
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}
