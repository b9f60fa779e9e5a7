/** Base64 for URLs, without padding (RFC 4648, section 5). */
export function toBase64Url(bytes: Iterable<number>): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ "+": "-", "/": "_" })[sign] ?? "");
}

/**
 * The bytes of such a text.
 * @returns undefined when it is not what `toBase64Url` writes; a reader that ignored the unused bits of the last
 *   character would take several texts for the same bytes
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replace(/[-_]/g, (sign) => (sign === "-" ? "+" : "/")));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return toBase64Url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
