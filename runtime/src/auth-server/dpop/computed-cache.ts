import { GenerationCache } from "../../collections/generation-cache.js";

/**
 * Remembers what was computed for a key, at most a number of results. Concurrent computations for one key are joined, and failures
 * are not remembered.
 */
export class ComputedCache<Value extends object | string> {
  readonly #values: GenerationCache<Value | Promise<Value>>;

  /** @param max the most values that are kept */
  constructor(max: number) {
    this.#values = new GenerationCache(max);
  }

  /** The number of values that are kept. */
  get size(): number {
    return this.#values.size;
  }

  /** Returns the value of a key; a promise only while it is computed. */
  get(key: string, compute: (key: string) => Promise<Value>): Value | Promise<Value> {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const computed = compute(key).then(
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
    this.#values.set(key, computed);
    return computed;
  }
}
