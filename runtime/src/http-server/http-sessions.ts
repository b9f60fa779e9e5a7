import { deadlineTimer, type HasDeadlines } from "../timing/deadline-timer.js";
import type { ManagedSession } from "./managed-session.js";
import type { SessionOptions } from "./options.js";

/** The sessions of an endpoint; idle sessions are closed after `idleMs`. */
export class HttpSessions<Session extends ManagedSession> implements HasDeadlines {
  readonly #sessions = new Map<string, Session>();
  readonly #idleMs: number;
  readonly #max: number;

  constructor({ idleMs = 1_800_000, max = 10_000 }: SessionOptions) {
    this.#idleMs = idleMs;
    this.#max = max;
  }

  get isFull(): boolean {
    return this.#sessions.size >= this.#max;
  }

  add(session: Session): void {
    session.lastUsedAt = performance.now();
    this.#sessions.set(session.sessionId, session);
    if (this.#sessions.size === 1) deadlineTimer.schedule(this, session.lastUsedAt + this.#idleMs);
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  delete({ sessionId }: ManagedSession): void {
    this.#sessions.delete(sessionId);
  }

  expireDue(now: number): number {
    for (const session of this.#sessions.values())
      if (session.isBusy) session.lastUsedAt = now;
      else if (session.lastUsedAt + this.#idleMs <= now) void session.close();
    return this.#sessions.size === 0 ? Infinity : now + this.#idleMs / 4;
  }
}
