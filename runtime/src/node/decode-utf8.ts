/**
 * Decodes UTF-8; returns undefined for other bytes. Decoding puts U+FFFD in place of invalid bytes, so only strings with that
 * character are compared with the bytes. (Importing `isUtf8` of `node:buffer` would start servers a millisecond later.)
 */
export function decodeUtf8(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  return text.includes("\ufffd") && !Buffer.from(text).equals(bytes) ? undefined : text;
}
