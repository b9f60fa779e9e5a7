import type { Principal } from "../transport/principal.js";

/** The keys of principals that cannot change: the same one sends all requests with an access token. */
const known = /* @__PURE__ */ new WeakMap<Principal, string>();

/** Whether a principal can be distinguished from others: both members are non-empty strings. */
export function isValidPrincipal({ issuer, subject }: Principal): boolean {
  return isText(issuer) && isText(subject);
}

/** Returns a key that identifies a principal, to limit what it takes, and to check the owner of a session. */
export function principalKey(principal: Principal | undefined): string | undefined {
  if (!principal) return undefined;
  const found = known.get(principal);
  if (found !== undefined) return found;
  const key = JSON.stringify([principal.issuer, principal.subject]);
  if (Object.isFrozen(principal)) known.set(principal, key);
  return key;
}

function isText(part: unknown): boolean {
  return typeof part === "string" && part !== "";
}
