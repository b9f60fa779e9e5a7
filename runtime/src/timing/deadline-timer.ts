import { timerDelay, unref } from "./timer-delay.js";

/** Something with deadlines of its own. */
export interface HasDeadlines {
  /** Ends what is due at `now`. Returns when to come back, in milliseconds of `performance.now()`; Infinity for never. */
  expireDue(now: number): number;
}

/**
 * One timer for all deadlines of the process: a timer per request would cost more than the request.
 * It does not keep the process alive.
 */
class DeadlineTimer {
  readonly #scheduled = new Set<HasDeadlines>();
  /** Who has the timer. Fake timers of tests come and go, and take what was set with them. */
  #clock = setTimeout;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;

  /** Has `watched` swept at `due` or earlier; with Infinity, not for this. */
  schedule(watched: HasDeadlines, due: number): void {
    if (due === Infinity) return;
    this.#scheduled.add(watched);
    if (this.#clock !== setTimeout) this.#arm(0);
    else if (due < this.#due) this.#arm(due);
  }

  cancel(watched: HasDeadlines): void {
    this.#scheduled.delete(watched);
  }

  #arm(due: number): void {
    if (this.#clock === setTimeout) clearTimeout(this.#timer);
    this.#clock = setTimeout;
    this.#due = due;
    const delay = timerDelay(Math.max(0, due - performance.now()));
    this.#timer = unref(setTimeout(() => this.#run(), delay));
  }

  #run(): void {
    this.#due = Infinity;
    const now = performance.now();
    let next = Infinity;
    for (const watched of this.#scheduled) {
      const due = watched.expireDue(now);
      if (due === Infinity) this.#scheduled.delete(watched);
      next = Math.min(next, due);
    }
    if (next < this.#due) this.#arm(next);
  }
}

export const deadlineTimer = /* @__PURE__ */ new DeadlineTimer();
