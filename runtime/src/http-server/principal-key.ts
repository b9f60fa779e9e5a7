import type { Principal } from "../transport/principal.js";

/** Whether somebody's sessions can be told from those of others. */
export function isValidPrincipal({ issuer, subject }: Principal): boolean {
  return [issuer, subject].every((part: unknown) => typeof part === "string" && part !== "");
}

/** Whose session it is that somebody opens: nobody else may use it. */
export function principalKey(principal: Principal | undefined): string | undefined {
  return principal && JSON.stringify([principal.issuer, principal.subject]);
}
