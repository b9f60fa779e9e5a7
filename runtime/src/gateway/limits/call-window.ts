const minute = 60_000;

/** Counts the calls of the last minute, exactly: it keeps the time of each. */
export class CallWindow {
  readonly #times: number[] = [];
  /** The index of the oldest time, once there are `most`. */
  #oldest = 0;

  /** @param most calls in any 60 seconds; Infinity for no limit */
  constructor(readonly most: number) {}

  /**
   * Counts a call, if it may run.
   * @param now milliseconds of `performance.now()`
   * @returns the milliseconds after which it may run; 0 if it was counted
   */
  take(now: number): number {
    if (this.most === Infinity) return 0;
    if (this.#times.length < this.most) {
      this.#times.push(now);
      return 0;
    }
    const wait = (this.#times[this.#oldest] ?? now) + minute - now;
    if (wait > 0) return wait;
    this.#times[this.#oldest] = now;
    this.#oldest = (this.#oldest + 1) % this.most;
    return 0;
  }
}
