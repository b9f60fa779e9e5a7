const prefix = "=?base64?";
const suffix = "?=";

/**
 * Encodes a value for a header field (MCP 2026-07-28, Streamable HTTP: value encoding): unchanged if a field can carry it,
 * otherwise as Base64 in a sentinel.
 */
export function encodeHeaderValue(value: string): string {
  // A field loses white space at its ends, and a value that looks like a sentinel would be decoded.
  const plain = /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(value) && !(value.startsWith(prefix) && value.endsWith(suffix));
  return plain ? value : prefix + toBase64(new TextEncoder().encode(value)) + suffix;
}

/**
 * Decodes the text of a header field.
 * @returns undefined for text that is not a valid encoding: characters outside 0x20 to 0x7E, or a sentinel whose content is
 *   not Base64 of UTF-8
 */
export function decodeHeaderValue(text: string): string | undefined {
  // `trim` removes more characters than fields allow as white space: reject those first.
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
    // `atob` tolerates white space, missing padding and unused bits. Here each value has exactly one encoding.
    if (toBase64(bytes) !== text) return undefined;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
