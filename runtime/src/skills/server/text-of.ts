/** Returns the text of bytes; undefined if they are not UTF-8. A byte order mark is kept, so that the text has the same bytes. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the standard base64 of bytes. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // Functions cannot have arbitrarily many arguments.
  for (let at = 0; at < bytes.length; at += 32_768) parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  return btoa(parts.join(""));
}
