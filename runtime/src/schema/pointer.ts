import { isObject } from "../jsonrpc/guards.js";
import type { KeywordKind } from "./keywords.js";

/** The parts of a JSON Pointer (RFC 6901). */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/** Appends a part to a JSON Pointer. */
export function pointerTo(pointer: string, part: PropertyKey): string {
  return `${pointer}/${String(part).replace(/~/g, "~0").replace(/\//g, "~1")}`;
}

/** The path of a JSON Pointer into a value: the parts that lead into an array are indexes. */
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
 * The schema at a pointer, by own properties only. Undefined if there is none, and if the pointer leads through plain data
 * such as `default`, where objects are not schemas.
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
