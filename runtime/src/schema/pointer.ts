import { isObject } from "../jsonrpc/guards.js";
import type { KeywordKind } from "./keywords.js";

/** The parts of a JSON Pointer (RFC 6901). */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/** One more part at the end of a JSON Pointer. */
export function pointerTo(pointer: string, part: PropertyKey): string {
  return `${pointer}/${String(part).replace(/~/g, "~0").replace(/\//g, "~1")}`;
}

/** The path of a JSON Pointer into a value: what leads into an array is an index. */
export function instancePath(pointer: string, value: unknown): (string | number)[] {
  let at = value;
  return pointerParts(pointer).map((part) => {
    const key = Array.isArray(at) ? Number(part) : part;
    at =
      typeof at === "object" && at !== null && Object.hasOwn(at, part) ? (at as Record<string, unknown>)[part] : null;
    return key;
  });
}

/**
 * The schema that a pointer leads to, by own properties only. Undefined when there is none, and when the way goes
 * through plain data such as `default`: what looks like a schema there is none.
 */
export function schemaAt(
  root: unknown,
  pointer: string,
  keywords: ReadonlyMap<string, KeywordKind>,
): Readonly<Record<string, unknown>> | boolean | undefined {
  let at: unknown = root;
  let inSchema = true;
  for (const part of pointerParts(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string, unknown>)[part];
    const kind: KeywordKind | undefined = inSchema ? keywords.get(part) : "schema";
    if (typeof kind === "function") return undefined;
    inSchema = !(kind === "map" || kind === "dependencies" || Array.isArray(at));
  }
  return inSchema && (isObject(at) || typeof at === "boolean") ? at : undefined;
}
