import { createHash, timingSafeEqual } from "node:crypto";

/** Whether a secret is the expected one. The time that it takes says nothing about the expected one. */
export function isSameSecret(received: string, expected: string): boolean {
  const [one, other] = [received, expected].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** Whether a verifier belongs to a challenge of the method `S256` (RFC 7636, section 4.6). */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  return isSameSecret(createHash("sha256").update(verifier).digest("base64url"), challenge);
}
