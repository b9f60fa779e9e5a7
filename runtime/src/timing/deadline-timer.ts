import { timerDelay, unref } from "./timer-delay.js";

/** An object with deadlines. */
export interface HasDeadlines {
  /** Expires what is due at `now`. Returns the next deadline in milliseconds of `performance.now()`, or Infinity for none. */
  expireDue(now: number): number;
}

/**
 * One timer for all deadlines of the process, because a timer per request would cost more than the request.
 * Does not keep the process alive.
 */
class DeadlineTimer {
  readonly #scheduled = new Set<HasDeadlines>();
  /** The `setTimeout` that created the timer. When tests install or remove fake timers, it differs, and the timer is lost. */
  #clock = setTimeout;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;

  /** Calls `expireDue` of `watched` at `due` or earlier; does nothing for Infinity. */
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
