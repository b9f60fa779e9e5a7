import { isObject } from "../../shared/is-object.js";

export type Members = Readonly<Record<string, unknown>>;

/** A member of the object's own; undefined for anything else. */
export function ownMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The `_meta` of a message or of params. */
export function metaOf(params: unknown, key: string): unknown {
  return ownMember(ownMember(params, "_meta"), key);
}

/** An id or a token as the key of a map: the number 1 is not the text "1". */
export function idKey(id: unknown): string {
  return id === undefined ? "" : JSON.stringify(id);
}

/** As it may stand in a sentence. */
export function shownValue(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
