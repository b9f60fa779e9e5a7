import { isObject } from "../../shared/is-object.js";

export type Members = Readonly<Record<string, unknown>>;

/** An own member of an object; otherwise undefined. */
export function ownMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The `_meta` of a message or of params. */
export function metaOf(params: unknown, key: string): unknown {
  return ownMember(ownMember(params, "_meta"), key);
}

/** An id or a token as the key of a map: the number 1 differs from the string "1". */
export function idKey(id: unknown): string {
  return id === undefined ? "" : JSON.stringify(id);
}

/** Prints a value for a sentence. */
export function shownValue(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
