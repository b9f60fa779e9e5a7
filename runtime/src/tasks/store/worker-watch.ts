/** The heartbeat of a worker, as a store keeps it. */
export interface Heartbeat {
  /** Another number after each heartbeat. */
  readonly beat: number;
  readonly leaseMs: number;
}

interface Observed {
  readonly beat: number;
  /** Milliseconds in which the beat did not change. */
  quietMs: number;
  seenAt: number;
}

/**
 * Decides which workers are dead: those whose heartbeat has not changed for as long as their lease, measured by the monotonic clock of
 * this process. The clocks of processes are never compared.
 *
 * Between two observations at most a third of the lease counts. After the machine slept, or this process was stopped, living workers
 * thus have time for a heartbeat before they count as dead.
 */
export class WorkerWatch {
  readonly #observed = new Map<string, Observed>();

  /** Observes the heartbeat of a worker; undefined when it has none or has retired. Returns whether the worker is dead. */
  isDead(worker: string, heartbeat: Heartbeat | undefined, now = performance.now()): boolean {
    if (!heartbeat) return true;
    const { beat, leaseMs } = heartbeat;
    const before = this.#observed.get(worker);
    if (before?.beat !== beat) {
      this.#observed.set(worker, { beat, quietMs: 0, seenAt: now });
      return false;
    }
    before.quietMs += Math.min(now - before.seenAt, leaseMs / 3);
    before.seenAt = now;
    return before.quietMs >= leaseMs;
  }

  forget(worker: string): void {
    this.#observed.delete(worker);
  }
}
