import { randomBytes } from "node:crypto";
import type { Principal } from "@mcpwright/runtime";

interface Kept<Value> {
  readonly owner: string;
  readonly value: Value;
  usedAt: number;
}

export interface HandleOptions {
  /** Milliseconds without use after which a handle expires. */
  readonly ttlMs: number;
  /** How many handles one caller may have. */
  readonly maxPerOwner: number;
  /** Replaces the clock in tests. */
  readonly now?: () => number;
}

/**
 * State between calls, without a session: a tool returns a handle, and later calls pass it as an argument. A handle belongs to
 * the caller that created it, cannot be guessed (128 random bits), and expires.
 */
export class Handles<Value> {
  readonly #options: HandleOptions;
  readonly #kept = new Map<string, Kept<Value>>();

  constructor(options: HandleOptions) {
    this.#options = options;
  }

  /** @returns undefined if the caller has too many handles */
  create(principal: Principal | undefined, value: Value): string | undefined {
    const { maxPerOwner, now = Date.now } = this.#options;
    this.#removeExpired();
    const owner = ownerOf(principal);
    const count = [...this.#kept.values()].filter((kept) => kept.owner === owner).length;
    if (count >= maxPerOwner) return undefined;
    const handle = randomBytes(16).toString("base64url");
    this.#kept.set(handle, { owner, value, usedAt: now() });
    return handle;
  }

  /** @returns undefined if the handle is unknown, has expired, or belongs to another caller; the result does not say which */
  use(principal: Principal | undefined, handle: string): Value | undefined {
    const { now = Date.now } = this.#options;
    this.#removeExpired();
    const kept = this.#kept.get(handle);
    if (kept?.owner !== ownerOf(principal)) return undefined;
    kept.usedAt = now();
    return kept.value;
  }

  /** Removes a handle of the caller. */
  delete(principal: Principal | undefined, handle: string): void {
    if (this.use(principal, handle) !== undefined) this.#kept.delete(handle);
  }

  #removeExpired(): void {
    const { ttlMs, now = Date.now } = this.#options;
    for (const [handle, { usedAt }] of this.#kept) if (now() - usedAt >= ttlMs) this.#kept.delete(handle);
  }
}

/** Without authentication, all callers of a server are the same one. */
function ownerOf(principal: Principal | undefined): string {
  return principal ? JSON.stringify([principal.issuer, principal.subject]) : "";
}
