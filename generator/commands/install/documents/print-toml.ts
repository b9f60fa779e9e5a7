import type { Entry } from "./server-document.js";

/** A table with its header; every line ends with a line feed. */
export function printTable(keys: readonly string[], entry: Entry): string {
  const pairs = Object.entries(entry).map(([name, value]) => `${printPair(name, value)}\n`);
  return `[${keys.map(printKey).join(".")}]\n${pairs.join("")}`;
}

export function printPair(name: string, value: unknown): string {
  return `${printKey(name)} = ${printTomlValue(value)}`;
}

export function printInlineTable(entry: Entry): string {
  const pairs = Object.entries(entry).map(([name, value]) => printPair(name, value));
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

function printTomlValue(value: unknown): string {
  if (typeof value === "string") return printString(value);
  if (Array.isArray(value)) return `[${value.map(printTomlValue).join(", ")}]`;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object" && value !== null) return printInlineTable(value as Entry);
  return String(value);
}

function printKey(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : printString(name);
}

/** The escapes of JSON are those of TOML, which also forbids the character DEL. */
function printString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
