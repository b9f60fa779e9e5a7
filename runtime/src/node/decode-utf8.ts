/**
 * The text that bytes stand for; undefined when they are no UTF-8. Only texts that say U+FFFD, which stands for what cannot be
 * decoded, are looked at twice. (`isUtf8` of `node:buffer` would do the same, but servers would start a millisecond later.)
 */
export function decodeUtf8(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  return text.includes("\ufffd") && !Buffer.from(text).equals(bytes) ? undefined : text;
}
