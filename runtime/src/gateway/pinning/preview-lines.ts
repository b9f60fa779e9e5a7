import { toJson } from "./canonical-text.js";

/** Deeper parts are shown as `…`. */
const maxDepth = 20;

/**
 * The lines that show a value: those of a string, or JSON with an indentation. Stops after a number of characters, without reading the
 * rest of the value.
 */
export function previewOf(value: unknown, maxLength: number): string {
  if (typeof value === "string") return value;
  let text = "";
  for (const part of parts(value, "")) {
    text += part;
    if (text.length > maxLength) break;
  }
  return text;
}

function* parts(value: unknown, indent: string): Generator<string, void, undefined> {
  if (typeof value !== "object" || value === null) {
    yield JSON.stringify(toJson(value) ?? null);
    return;
  }
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? "[]" : "{}";
  if (indent.length >= 2 * maxDepth) {
    yield `${open}…${close}`;
    return;
  }
  const inner = `${indent}  `;
  let separator = `${open}\n`;
  for (const name of isArray ? value.keys() : Object.keys(value)) {
    yield `${separator}${inner}${isArray ? "" : `${JSON.stringify(name)}: `}`;
    yield* parts((value as Readonly<Record<string | number, unknown>>)[name], inner);
    separator = ",\n";
  }
  yield separator === ",\n" ? `\n${indent}${close}` : `${open}${close}`;
}
