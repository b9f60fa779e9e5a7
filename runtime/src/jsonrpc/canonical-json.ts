import { isObject } from "./guards.js";

/**
 * Serializes equal values to the same JSON text: like `JSON.stringify`, with the members of every object sorted by name
 * (names that are array indices come first, by number).
 * @returns `null` for a value that JSON cannot represent
 */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) as string | undefined;
  return text ?? "null";
}
