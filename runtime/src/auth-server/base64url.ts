/** The value of each character of base64url, by its code. */
const values = /* @__PURE__ */ (() => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const table = new Uint8Array(128);
  for (let value = 0; value < alphabet.length; value++) table[alphabet.charCodeAt(value)] = value;
  return table;
})();

/**
 * Decodes base64url without padding (RFC 4648, section 5). Twice as fast as `atob` for short texts, of which each DPoP proof has one.
 * @param text characters of base64url only
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array((text.length * 3) >> 2);
  let bits = 0;
  let count = 0;
  let at = 0;
  for (let index = 0; index < text.length; index++) {
    bits = (bits << 6) | (values[text.charCodeAt(index)] ?? 0);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[at++] = bits >> count;
  }
  return bytes;
}
