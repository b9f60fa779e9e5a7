import { memberNames, toJson } from "../pinning/canonical-text.js";

/** Deeper values, such as one that refers to itself, count as too large: `JSON.stringify` fails for them. */
const maxDepth = 10_000;

interface Frame {
  readonly value: Readonly<Record<string | number, unknown>>;
  /** The names of the members of an object; undefined for an array. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/**
 * The size of a value in bytes, as `JSON.stringify` writes it in UTF-8.
 * @param most the size at which to stop: a result above it says only that the value is larger
 */
export function jsonSize(value: unknown, most: number): number {
  let size = 0;
  const frames: Frame[] = [];
  const add = (given: unknown): void => {
    const part = toJson(given);
    if (typeof part === "string") size += stringSize(part, most - size);
    else if (typeof part !== "object" || part === null) size += JSON.stringify(part ?? null).length;
    else {
      const names = Array.isArray(part) ? undefined : memberNames(part);
      const length = names?.length ?? (part as readonly unknown[]).length;
      // Brackets and commas.
      size += 2 + Math.max(0, length - 1);
      frames.push({ value: part as Frame["value"], names, length, next: 0 });
    }
  };
  add(value);
  for (let frame; size <= most && (frame = frames.at(-1));) {
    const { value: holder, names, length } = frame;
    if (frames.length > maxDepth) return Infinity;
    if (frame.next === length) frames.pop();
    else {
      const key = names?.[frame.next] ?? frame.next;
      frame.next++;
      if (typeof key === "string") size += stringSize(key, most - size) + 1;
      add(holder[key]);
    }
  }
  return size;
}

/** The size of a string in JSON, with its quotes. */
function stringSize(text: string, most: number): number {
  let size = text.length + 2;
  // Such as Base64: several times as fast.
  if (size > most || !/["\\]|[^ -~]/.test(text)) return size;
  for (let at = 0; at < text.length && size <= most; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) size += code < 0x20 ? controlSize(code) - 1 : code === 0x22 || code === 0x5c ? 1 : 0;
    else if (code < 0x800) size += 1;
    else if (code < 0xd800 || code > 0xdfff) size += 2;
    else if ((text.codePointAt(at) ?? 0) > 0xffff) {
      // A pair has two code units and four bytes.
      size += 2;
      at++;
    } else size += 5;
  }
  return size;
}

/** Backspace, tab, line feed, form feed and carriage return have short escapes. */
function controlSize(code: number): number {
  return code >= 8 && code <= 13 && code !== 11 ? 2 : 6;
}
