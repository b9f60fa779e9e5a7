import { ExpiryBuckets } from "../../timing/expiry-buckets.js";
import type { SetOptions, StoredValue } from "../backplane-store.js";
import { BackplaneError } from "../backplane-error.js";

/** What a value costs besides its key and text. */
const valueOverhead = 200;

interface Kept extends StoredValue {
  readonly key: string;
  due: number;
}

/** The values of a backplane in memory. */
export class MemoryValues {
  readonly #values = new Map<string, Kept>();
  readonly #expiry = new ExpiryBuckets<Kept>((value) => this.#remove(value));
  /** The number of versions so far. */
  #count = 0;
  #size = 0;

  /** @param maxSize the most characters of all keys and values, each value counted with 200 more for its keeping */
  constructor(readonly maxSize: number) {}

  get(key: string): StoredValue | undefined {
    const value = this.#find(key);
    return value && { text: value.text, version: value.version };
  }

  set(key: string, text: string, { ttlMs, ifVersion }: SetOptions): string | undefined {
    const known = this.#find(key);
    if (ifVersion !== undefined && (known?.version ?? null) !== ifVersion) return undefined;
    const due = performance.now() + ttlMs;
    const value: Kept = { key, text, version: (this.#count++).toString(36), due };
    const growth = sizeOf(value) - (known ? sizeOf(known) : 0);
    if (growth > 0 && this.#size + growth > this.maxSize)
      throw new BackplaneError(
        "full",
        `the values of the backplane may have ${this.maxSize} characters; raise maxSize`,
      );
    if (known) this.#remove(known);
    this.#values.set(key, value);
    this.#size += sizeOf(value);
    this.#expiry.add(value);
    return value.version;
  }

  extend(key: string, ttlMs: number): boolean {
    const value = this.#find(key);
    if (!value) return false;
    value.due = performance.now() + ttlMs;
    this.#expiry.add(value);
    return true;
  }

  delete(key: string, ifVersion?: string): boolean {
    const value = this.#find(key);
    if (!value || (ifVersion !== undefined && value.version !== ifVersion)) return false;
    this.#remove(value);
    return true;
  }

  #find(key: string): Kept | undefined {
    const value = this.#values.get(key);
    if (!value || value.due > performance.now()) return value;
    this.#remove(value);
    return undefined;
  }

  #remove(value: Kept): void {
    this.#values.delete(value.key);
    this.#size -= sizeOf(value);
    this.#expiry.delete(value);
  }
}

function sizeOf({ key, text }: Kept): number {
  return key.length + text.length + valueOverhead;
}
