import { deadlineTimer, type HasDeadlines } from "../engine/sweeper.js";
import type { Principal } from "../engine/transport.js";
import type { SessionOptions } from "./options.js";
import type { HttpSession } from "./session.js";

/** Whether somebody's sessions can be told from those of others. */
export function isValidPrincipal({ issuer, subject }: Principal): boolean {
  return [issuer, subject].every((part: unknown) => typeof part === "string" && part !== "");
}

/** Whose session it is that somebody opens: nobody else may use it. */
export function principalKey(principal: Principal | undefined): string | undefined {
  return principal && JSON.stringify([principal.issuer, principal.subject]);
}

/** The sessions of an endpoint; those that nobody uses end after a while. */
export class HttpSessions implements HasDeadlines {
  readonly #sessions = new Map<string, HttpSession>();
  readonly #idleMs: number;
  readonly #max: number;

  constructor({ idleMs = 1_800_000, max = 10_000 }: SessionOptions) {
    this.#idleMs = idleMs;
    this.#max = max;
  }

  get isFull(): boolean {
    return this.#sessions.size >= this.#max;
  }

  add(session: HttpSession): void {
    session.lastUsedAt = performance.now();
    this.#sessions.set(session.sessionId, session);
    if (this.#sessions.size === 1) deadlineTimer.schedule(this, session.lastUsedAt + this.#idleMs);
  }

  get(id: string): HttpSession | undefined {
    return this.#sessions.get(id);
  }

  delete({ sessionId }: HttpSession): void {
    this.#sessions.delete(sessionId);
  }

  expireDue(now: number): number {
    for (const session of this.#sessions.values())
      if (session.isBusy) session.lastUsedAt = now;
      else if (session.lastUsedAt + this.#idleMs <= now) void session.close();
    return this.#sessions.size === 0 ? Infinity : now + this.#idleMs / 4;
  }
}
