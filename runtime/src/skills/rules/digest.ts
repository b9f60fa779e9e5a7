/** Returns the SHA-256 of bytes in the form of a skill's entry: `sha256:` and 64 hexadecimal digits (SEP-2640, integrity and verification). */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  // In public types, the buffer has no type of its own, which TypeScript before 5.7 does not know.
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
