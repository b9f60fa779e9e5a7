/** Encodes bytes as base64url without padding (RFC 4648, section 5). */
export function toBase64Url(bytes: Iterable<number>): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ "+": "-", "/": "_" })[sign] ?? "");
}

/**
 * Decodes base64url.
 * @returns undefined for a string that `toBase64Url` does not produce. Ignoring the unused bits of the last character
 *   would accept several strings for the same bytes.
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
