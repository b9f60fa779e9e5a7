/**
 * A bounded map that forgets values which were not used for a while. It has two generations: a full young one becomes the old
 * one, and what the old one still contains then is dropped. Thus a hit does not change the map, as it would in a list by last use.
 */
export class GenerationCache<Value> {
  readonly #maxYoung: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** @param max the most values that are kept */
  constructor(max: number) {
    this.#maxYoung = Math.floor(max / 2);
  }

  get(key: string): Value | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older === undefined) return undefined;
    this.#old.delete(key);
    this.set(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    if (this.#maxYoung === 0) return;
    if (this.#young.size >= this.#maxYoung && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#old.delete(key);
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** The number of values that are kept. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
