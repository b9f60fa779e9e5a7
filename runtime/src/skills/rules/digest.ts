/** Returns the SHA-256 of bytes in the form of a skill's entry: `sha256:` and 64 hexadecimal digits (SEP-2640, integrity and verification). */
export async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
