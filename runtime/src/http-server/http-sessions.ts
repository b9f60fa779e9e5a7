import { deadlineTimer, type HasDeadlines } from "../timing/deadline-timer.js";
import type { ManagedSession } from "./managed-session.js";
import type { SessionOptions } from "./options.js";
import { type ClientKey, SharedLimit } from "./shared-limit.js";

/** The sessions of an endpoint; idle sessions are closed after `idleMs`, and unused ones when there is no room. */
export class HttpSessions<Session extends ManagedSession> implements HasDeadlines {
  readonly #sessions = new Map<string, Session>();
  /** The sessions that were never used; the oldest come first. */
  readonly #unused = new Set<ManagedSession>();
  readonly #places: SharedLimit;
  readonly idleMs: number;

  constructor({ idleMs = 1_800_000, max = 10_000 }: SessionOptions, clientShare: number) {
    this.idleMs = idleMs;
    this.#places = new SharedLimit(max, clientShare);
  }

  /**
   * Makes room for one more session of a client, if need be by closing the oldest session that was never used, or one that
   * has been idle for `idleMs`.
   * @returns undefined, or the seconds until a session may have been idle for that time
   */
  makeRoom(client: ClientKey): number | undefined {
    if (this.#places.hasRoom(client)) return undefined;
    const now = performance.now();
    const frees = this.#places.exceedsShare(client)
      ? (session: ManagedSession) => session.client === client
      : () => true;
    for (const session of this.#unused)
      if (!session.isBusy && frees(session)) {
        void session.release();
        return undefined;
      }
    let first = now + this.idleMs;
    for (const session of this.#sessions.values()) {
      if (session.isBusy || !frees(session)) continue;
      first = Math.min(first, session.lastUsedAt + this.idleMs);
      if (first > now) continue;
      void session.release();
      return undefined;
    }
    return Math.ceil((first - now) / 1_000);
  }

  add(session: Session): void {
    session.lastUsedAt = performance.now();
    this.#sessions.set(session.sessionId, session);
    this.#unused.add(session);
    this.#places.add(session.client);
    if (this.#sessions.size === 1) deadlineTimer.schedule(this, session.lastUsedAt + this.idleMs);
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  get size(): number {
    return this.#sessions.size;
  }

  onUsed(session: ManagedSession): void {
    this.#unused.delete(session);
  }

  delete(session: ManagedSession): void {
    this.#unused.delete(session);
    if (this.#sessions.delete(session.sessionId)) this.#places.add(session.client, -1);
  }

  expireDue(now: number): number {
    for (const session of this.#sessions.values())
      if (session.isBusy) session.stayOpen(now);
      else if (session.lastUsedAt + this.idleMs <= now) void session.release();
    return this.#sessions.size === 0 ? Infinity : now + this.idleMs / 4;
  }
}
