/**
 * The clock of a database that several processes share, in microseconds since 1970. Each transaction catches up with the latest time of
 * the others. Between them, the clock follows the monotonic clock of the process: jumps of the system clock do not move it, and it never
 * goes back.
 */
export class StoreClock {
  #stamp = Date.now() * 1_000;
  /** When `#stamp` was the time, in milliseconds of the monotonic clock. */
  #since = performance.now();
  /** The last stamp that was given out. */
  #last = 0;

  now(): number {
    return Math.max(this.#last, Math.floor(this.#stamp + (performance.now() - this.#since) * 1_000));
  }

  /** Returns a time that no other call returns, in no process. Call it in a transaction that has caught up. */
  next(): number {
    return (this.#last = Math.max(this.#last + 1, this.now()));
  }

  catchUp(stamp: number): void {
    if (stamp <= this.now()) return;
    this.#stamp = this.#last = stamp;
    this.#since = performance.now();
  }
}
