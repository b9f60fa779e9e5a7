import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A secret of 256 random bits, in 43 characters. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Names a list of texts: two different lists have different ids, from which the texts cannot be found. */
export function hashOf(...texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("base64url");
}

/** Compares two texts in a time that depends on their lengths only. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
