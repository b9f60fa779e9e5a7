import type { Task } from "../../client/call-tool-options.js";

/** The interval of servers that name none. */
const defaultIntervalMs = 1_000;
/** No server is polled more often. */
const shortestIntervalMs = 100;
/** How seldom a task is polled whose server pushes its states: notifications can be lost. */
const safetyIntervalMs = 30_000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** Timers can fire early by this much. */
const earlyMs = 2;
/** The failed polls in a row after which a task is given up. */
const maxFailures = 8;

/** Decides when a task is polled, and when it has expired, by the monotonic clock. */
export class PollSchedule {
  /** When the next poll is due, in milliseconds of `performance.now()`. */
  due = 0;
  /** When the task was created, estimated so that it is never too early. */
  readonly #createdAt: number;
  #expiresAt = Infinity;
  #failures = 0;

  /** @param first the first known state */
  constructor(
    first: Task,
    /** Whether the server pushes the states of the task. */
    readonly isPushed: () => boolean,
  ) {
    // The clocks of client and server may differ, but the server's own times can be compared.
    const age = Date.parse(first.lastUpdatedAt) - Date.parse(first.createdAt);
    this.#createdAt = performance.now() - (age > 0 ? age : 0);
  }

  /** Sets the next poll after the server has responded with a state. */
  onState(task: Task): void {
    this.#failures = 0;
    this.#expiresAt = this.#createdAt + (task.ttlMs ?? Infinity);
    const asked = Math.max(task.pollIntervalMs ?? defaultIntervalMs, shortestIntervalMs);
    const interval = this.isPushed() ? Math.max(asked, safetyIntervalMs) : asked;
    // Later than asked, never sooner, and not at the same moment as other tasks.
    this.#pollIn(interval * (1 + Math.random() / 10));
  }

  /** Sets the next attempt after a poll failed. Returns false when there were too many. */
  onFailure(): boolean {
    const pause = Math.min(firstPauseMs * 2 ** this.#failures++, longestPauseMs);
    this.#pollIn(pause * (0.5 + Math.random()));
    return this.#failures < maxFailures;
  }

  /** Whether the task has outlived its `ttlMs`. */
  hasExpired(): boolean {
    return performance.now() >= this.#expiresAt - earlyMs;
  }

  /** The last poll is the one at the expiry. */
  #pollIn(ms: number): void {
    const now = performance.now();
    this.due = this.#expiresAt > now ? Math.min(now + ms, this.#expiresAt) : now + ms;
  }
}
