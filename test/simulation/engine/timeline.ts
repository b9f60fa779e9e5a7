/** An event that has not happened yet. */
export interface Planned {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/**
 * The time of a simulation, in milliseconds, and everything that will happen in it: timers of programs and deliveries of the network. Time
 * passes only between two events. Of events at the same time, the one that was planned first happens first.
 */
export class Timeline {
  now = 0;
  /** A binary heap: the next event is the first. */
  readonly #heap: Planned[] = [];
  #count = 0;
  #cancelled = 0;

  /** The number of events that have not happened and were not cancelled. */
  get size(): number {
    return this.#heap.length - this.#cancelled;
  }

  after(ms: number, run: () => void): Planned {
    return this.at(this.now + (ms > 0 ? ms : 0), run);
  }

  at(due: number, run: () => void): Planned {
    const planned: Planned = { due: Math.max(due, this.now), order: this.#count++, run, isCancelled: false };
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (!above || !isBefore(planned, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = planned;
    return planned;
  }

  cancel(planned: Planned): void {
    if (planned.isCancelled) return;
    planned.isCancelled = true;
    this.#cancelled++;
  }

  /** When the next event happens; Infinity if there is none. */
  get next(): number {
    this.#dropCancelled();
    return this.#heap[0]?.due ?? Infinity;
  }

  /** Lets the next event happen, if it is due at `until` or before. Returns whether there was one. */
  step(until = Infinity): boolean {
    if (this.next > until) return false;
    const planned = this.#take();
    if (!planned) return false;
    this.now = planned.due;
    // A later cancellation has no effect.
    planned.isCancelled = true;
    planned.run();
    return true;
  }

  #dropCancelled(): void {
    while (this.#heap[0]?.isCancelled) {
      this.#cancelled--;
      this.#take();
    }
  }

  #take(): Planned | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!last || last === first) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (!left) break;
      let smaller = left;
      if (right && isBefore(right, left)) {
        smaller = right;
        child++;
      }
      if (!isBefore(smaller, last)) break;
      heap[at] = smaller;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Planned, other: Planned): boolean {
  return one.due < other.due || (one.due === other.due && one.order < other.order);
}
