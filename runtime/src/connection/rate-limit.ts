/** Limits how often something happens: after a burst, a number of times a second. */
export class RateLimit {
  #tokens: number;
  #refilledAt = performance.now();

  constructor(
    readonly burst: number,
    readonly perSecond: number,
  ) {
    this.#tokens = burst;
  }

  /** Returns whether it may happen now; if so, it counts. */
  take(): boolean {
    const now = performance.now();
    this.#tokens = Math.min(this.burst, this.#tokens + ((now - this.#refilledAt) / 1_000) * this.perSecond);
    this.#refilledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
