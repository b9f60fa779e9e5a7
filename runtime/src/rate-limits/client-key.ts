import { principalKey } from "../http-server/principal-key.js";
import type { LimitedRequest } from "./limited-request.js";

/** Longer keys are replaced by their digest, so that clients with long names do not take memory. */
const maxKeyLength = 200;

/** The client that sent a request: by its principal, or by its address when it is anonymous. */
export interface ClientKey {
  readonly kind: "principal" | "address" | "key";
  readonly key: string;
}

/** @param keyOf the user's own key */
export function clientKeyOf(
  request: LimitedRequest,
  keyOf: ((request: LimitedRequest) => string | undefined) | undefined,
): ClientKey {
  const own = keyOf?.(request);
  if (own !== undefined) return { kind: "key", key: own };
  const principal = principalKey(request.principal);
  if (principal !== undefined) return { kind: "principal", key: principal };
  return { kind: "address", key: request.address === undefined ? "" : networkOf(request.address) };
}

/** Shortens a key that is long. */
export async function boundedKey(key: string): Promise<string> {
  if (key.length <= maxKeyLength) return key;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The part of an address that one client cannot change: an IPv4 address, or the first 64 bits of an IPv6 address, because a
 * network assigns at least the others to each client (RFC 4291, section 2.5.1).
 */
export function networkOf(address: string): string {
  const bare = address.split("%", 1)[0] ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined || !bare.includes(":")) return mapped ?? bare;
  const [before = [], after] = bare.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = after ? new Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0") : [];
  const groups = [...before, ...zeros, ...(after ?? [])].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
