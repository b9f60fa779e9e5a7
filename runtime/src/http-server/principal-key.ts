import type { Principal } from "../transport/principal.js";

/** Whether a principal can be distinguished from others: both members are non-empty strings. */
export function isValidPrincipal({ issuer, subject }: Principal): boolean {
  return [issuer, subject].every((part: unknown) => typeof part === "string" && part !== "");
}

/** Returns a key that identifies a principal, to check the owner of a session. */
export function principalKey(principal: Principal | undefined): string | undefined {
  return principal && JSON.stringify([principal.issuer, principal.subject]);
}
