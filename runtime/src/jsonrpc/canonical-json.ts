import { isObject } from "./guards.js";

/**
 * JSON text that is the same for equal values: what `JSON.stringify` prints, without spaces, and with the members of
 * every object in one order, that of their names (names that are array indices come first, by number).
 * @returns `null` for what JSON cannot say
 */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) as string | undefined;
  return text ?? "null";
}
