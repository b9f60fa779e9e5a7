import { SdkError } from "../../jsonrpc/errors.js";

/** As deep as messages are read. Recursive code would overflow the stack, here and in parsers of the lock. */
export const maxDepth = 1_000;

/**
 * Serializes a value by the JSON Canonicalization Scheme (RFC 8785): equal values have the same text. Lone surrogates, which the RFC
 * rejects, are escaped.
 * @throws SdkError `LIMIT_EXCEEDED` when the value is nested deeper than 1,000 levels
 */
export function canonicalText(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(toJson(value) ?? null);
  if (depth >= maxDepth) throw new SdkError("LIMIT_EXCEEDED", `it is nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, depth + 1)).join(",")}]`;
  const members = memberNames(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText((value as Members)[name], depth + 1)}`);
  return `{${members.join(",")}}`;
}

/** The names of the members that JSON has. An in-memory server may send members that are undefined. */
export function memberNames(value: object): string[] {
  return Object.keys(value).filter((name) => toJson((value as Members)[name]) !== undefined);
}

/** A value as JSON has it; undefined if JSON does not have it. */
export function toJson(value: unknown): unknown {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? value : null;
    case "bigint":
      return String(value);
    case "function":
    case "symbol":
      return undefined;
    default:
      return value;
  }
}

/** SHA-256 of a text, as `sha256:` and 64 hexadecimal digits. */
export async function digestOf(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

type Members = Readonly<Record<string, unknown>>;
