/**
 * Remembers what was computed for a key, at most a number of results. Concurrent computations for one key are joined, and failures
 * are not remembered.
 */
export class BoundedCache<Value extends object | string> {
  /** Keys that were used recently are at the end. */
  readonly #values = new Map<string, Value | Promise<Value>>();

  constructor(readonly maxEntries: number) {}

  get size(): number {
    return this.#values.size;
  }

  /** Returns the value of a key; a promise only while it is computed. */
  get(key: string, compute: () => Promise<Value>): Value | Promise<Value> {
    const known = this.#values.get(key);
    if (known !== undefined) {
      this.#touch(key, known);
      return known;
    }
    const computed = compute().then(
      (value) => {
        // It may have been forgotten in the meantime.
        if (this.#values.get(key) === computed) this.#values.set(key, value);
        return value;
      },
      (error: unknown) => {
        if (this.#values.get(key) === computed) this.#values.delete(key);
        throw error;
      },
    );
    this.#touch(key, computed);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.maxEntries && oldest !== undefined) this.#values.delete(oldest);
    return computed;
  }

  #touch(key: string, value: Value | Promise<Value>): void {
    this.#values.delete(key);
    this.#values.set(key, value);
  }
}
