const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** A connection that ends within this time counts as a failed attempt. */
const soonMs = 5_000;

/** Decides when a server that cannot be reached is tried again: after pauses that double up to 30 seconds. */
export class BackOff {
  #pauseMs = 0;
  #until = -Infinity;

  /** Milliseconds until the next attempt; 0 when one may begin. */
  get waitMs(): number {
    return Math.max(0, Math.ceil(this.#until - performance.now()));
  }

  failed(): void {
    this.#pauseMs = this.#pauseMs === 0 ? firstPauseMs : Math.min(2 * this.#pauseMs, longestPauseMs);
    // Jitter, so that many gateways do not start a server at the same moment.
    this.#until = performance.now() + this.#pauseMs * (0.5 + Math.random() / 2);
  }

  /** @param openedAt when the connection was opened, by `performance.now()` */
  ended(openedAt: number): void {
    if (performance.now() - openedAt < soonMs) this.failed();
    else this.reset();
  }

  reset(): void {
    this.#pauseMs = 0;
    this.#until = -Infinity;
  }
}
