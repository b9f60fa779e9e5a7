import { deadlineTimer, type HasDeadlines } from "./deadline-timer.js";

/** Entries whose deadlines are within the same period are removed together. */
const periodMs = 1_000;

interface Expiring {
  /** Milliseconds of `performance.now()`. Changes only before `add`. */
  readonly due: number;
}

/**
 * Removes entries that have expired, at most a second late. The cost of an entry does not depend on how many there are, and one that
 * expires later again and again costs little.
 */
export class ExpiryBuckets<Entry extends Expiring> implements HasDeadlines {
  /** By the end of the period in which the entries expire. */
  readonly #buckets = new Map<number, Set<Entry>>();
  readonly #bucketOf = new Map<Entry, number>();

  /** @param remove called with each entry that has expired, when it is no longer in a bucket */
  constructor(readonly remove: (entry: Entry) => void) {}

  /** Adds an entry, or moves it when its deadline has changed. */
  add(entry: Entry): void {
    const end = Math.ceil(entry.due / periodMs) * periodMs;
    if (this.#bucketOf.get(entry) === end) return;
    this.delete(entry);
    if (end === Infinity) return;
    let bucket = this.#buckets.get(end);
    if (!bucket) {
      this.#buckets.set(end, (bucket = new Set()));
      deadlineTimer.schedule(this, end);
    }
    bucket.add(entry);
    this.#bucketOf.set(entry, end);
  }

  delete(entry: Entry): void {
    const end = this.#bucketOf.get(entry);
    if (end === undefined) return;
    this.#bucketOf.delete(entry);
    const bucket = this.#buckets.get(end);
    bucket?.delete(entry);
    if (bucket?.size === 0) this.#buckets.delete(end);
  }

  expireDue(now: number): number {
    let next = Infinity;
    for (const [end, bucket] of this.#buckets)
      if (end > now) next = Math.min(next, end);
      else
        for (const entry of [...bucket]) {
          this.delete(entry);
          this.remove(entry);
        }
    return next;
  }
}
