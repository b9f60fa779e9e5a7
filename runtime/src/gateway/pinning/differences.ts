import { pointerTo } from "../../schema/pointer.js";
import { maxDepth, memberNames, toJson } from "./canonical-text.js";

/** A part of an item that changed. */
export interface Difference {
  /** JSON Pointer (RFC 6901) to the part; empty for the whole item. */
  readonly path: string;
  /** The value that was approved; absent if the part was added. */
  readonly before?: unknown;
  /** The value now; absent if the part was removed. */
  readonly after?: unknown;
}

/**
 * The parts in which two values differ as JSON, in the order of their paths; none if they are equal. Arrays of different lengths differ as
 * a whole.
 * @param most the number of parts after which to stop
 */
export function differencesOf(before: unknown, after: unknown, most: number): readonly Difference[] {
  const found: Difference[] = [];
  compare(before, after, "", 0);
  return found;

  function compare(old: unknown, now: unknown, path: string, depth: number): void {
    if (found.length >= most) return;
    const [a, b] = [toJson(old), toJson(now)];
    if (a === b) return;
    // A value that is so deep was never locked.
    if (depth >= maxDepth || !isComparable(a, b)) {
      found.push({ path, ...(a !== undefined && { before: a }), ...(b !== undefined && { after: b }) });
      return;
    }
    for (const name of namesOf(a, b)) compare(memberOf(a, name), memberOf(b, name), pointerTo(path, name), depth + 1);
  }
}

/** Whether the members of two values are to be compared, because both are objects, or arrays of one length. */
function isComparable(a: unknown, b: unknown): a is object {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && a.length === b.length;
  return true;
}

function namesOf(a: object, b: unknown): Iterable<string | number> {
  if (Array.isArray(a)) return a.keys();
  return [...new Set([...memberNames(a), ...memberNames(b as object)])].sort();
}

/** JSON has null in place of items that it cannot represent. */
function memberOf(value: unknown, name: string | number): unknown {
  if (Array.isArray(value)) return toJson(value[name as number]) ?? null;
  return Object.hasOwn(value as object, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
