const minute = 60_000;
/** Times that have expired are removed together, so that a removal costs little. */
const leastRemoved = 1_024;

/** Counts the calls of the last minute, exactly: it keeps the time of each. */
export class CallWindow {
  readonly #times: number[] = [];
  /** The index of the oldest time that counts. */
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
    this.#forget(now - minute);
    if (this.#times.length - this.#oldest >= this.most) return (this.#times[this.#oldest] ?? now) + minute - now;
    this.#times.push(now);
    return 0;
  }

  #forget(until: number): void {
    while ((this.#times[this.#oldest] ?? Infinity) <= until) this.#oldest++;
    if (this.#oldest < leastRemoved || this.#oldest * 2 < this.#times.length) return;
    this.#times.splice(0, this.#oldest);
    this.#oldest = 0;
  }
}
