/** How long a key counts as known before the limiter has returned how long it keeps it. */
const provisionalMs = 60_000;
/** How often expired keys are looked for when there are too many. */
const sweepMs = 1_000;

/** The keys that a limiter keeps at the moment. It bounds how many there are. */
export class CountedKeys {
  /** The `performance.now()` until which each is kept. */
  readonly #until = new Map<string, number>();
  #sweptAt = -Infinity;

  constructor(readonly max: number) {}

  get size(): number {
    return this.#until.size;
  }

  /** Returns whether the limiter may keep the key; if so, it counts. */
  admit(key: string): boolean {
    if (this.#until.has(key)) return true;
    if (this.#until.size >= this.max) this.#sweep();
    if (this.#until.size >= this.max) return false;
    this.#until.set(key, performance.now() + provisionalMs);
    return true;
  }

  /** @param ms milliseconds for which the limiter keeps the key; less than 0: for ever */
  keep(key: string, ms: number): void {
    if (this.#until.has(key)) this.#until.set(key, ms < 0 ? Infinity : performance.now() + ms);
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#sweptAt < sweepMs) return;
    this.#sweptAt = now;
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key);
  }
}
