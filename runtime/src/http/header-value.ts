const prefix = "=?base64?";
const suffix = "?=";

/**
 * The text of a header field for a value (MCP 2026-07-28, Streamable HTTP: value encoding): the value itself where a field
 * can carry it unchanged, else Base64 in a sentinel.
 */
export function encodeHeaderValue(value: string): string {
  // A field loses blanks at its ends, and what looks like a sentinel would be taken for one.
  const plain = /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(value) && !(value.startsWith(prefix) && value.endsWith(suffix));
  return plain ? value : prefix + toBase64(new TextEncoder().encode(value)) + suffix;
}

/**
 * The value that the text of a header field stands for.
 * @returns undefined for text that no value is encoded as: other characters than 0x20 to 0x7E, or a sentinel around what
 *   is no Base64 of UTF-8
 */
export function decodeHeaderValue(text: string): string | undefined {
  // `trim` knows more blanks than fields do: those are refused first.
  const field = text.trim();
  if (!/^[\t -~]*$/.test(text) || field.includes("\t")) return undefined;
  const isSentinel =
    field.length >= prefix.length + suffix.length && field.startsWith(prefix) && field.endsWith(suffix);
  return isSentinel ? fromBase64(field.slice(prefix.length, -suffix.length)) : field;
}

function toBase64(bytes: Iterable<number>): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function fromBase64(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    // Blanks, missing padding and unused bits are forgiven by `atob`, but not here: one value has one text.
    if (toBase64(bytes) !== text) return undefined;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
