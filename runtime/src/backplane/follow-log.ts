import { toError } from "../jsonrpc/error-conversion.js";
import { unref } from "../timing/timer-delay.js";
import type { Channels, LogEntry, LogStore } from "./backplane-store.js";

/** Receives the entries of a log. */
export interface LogFollower {
  /** Called with each entry, one after the other: the next one waits for the promise. Its errors go to `onError`. */
  onEntry(entry: LogEntry): void | Promise<void>;
  /** Called before the next entry when entries in between are missing: they were dropped before they could be read, or lost. */
  onGap(): void;
  /** Called when the connection was interrupted. Entries that were appended before, and not read, may be lost. */
  onInterruption?(): void;
  /** Called when the log cannot be read at the moment. It is read again soon. */
  onError(error: Error): void;
}

const pageSize = 100;
/** How long after a failure the log is read again, in milliseconds. */
const retryMs = 1_000;

/**
 * Delivers each entry of a log once and in order, those that exist and those that any node appends later.
 * @param after the id of the entry after which to start; undefined: from the oldest entry
 * @returns a promise of a function that ends it, as soon as no later entry can be missed
 * @throws BackplaneError when the subscription fails
 */
export async function followLog(
  backplane: LogStore & Channels,
  log: string,
  after: string | undefined,
  follower: LogFollower,
): Promise<() => void> {
  const following = new Following(backplane, log, after, follower);
  const wake = (): void => void following.read();
  const onGap = (): void => {
    follower.onInterruption?.();
    wake();
  };
  let unsubscribe: () => void;
  try {
    unsubscribe = await backplane.subscribe(log, { onMessage: wake, onGap });
  } catch (error) {
    // The backplane may have subscribed nevertheless.
    following.hasEnded = true;
    throw error;
  }
  wake();
  return () => {
    following.hasEnded = true;
    unsubscribe();
  };
}

class Following {
  hasEnded = false;
  #isReading = false;
  /** The entry after which a gap was announced. */
  #gapAfter: string | undefined;
  /** Whether something was appended while the log was read. */
  #isStale = false;

  constructor(
    readonly logs: LogStore,
    readonly log: string,
    private after: string | undefined,
    readonly follower: LogFollower,
  ) {}

  /** Reads the log to its end. Never rejects. */
  async read(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale && !this.hasEnded) {
        this.#isStale = false;
        if (await this.#readPage()) this.#isStale = true;
      }
    } catch (error) {
      this.follower.onError(toError(error));
      if (!this.#isOver()) unref(setTimeout(() => void this.read(), retryMs));
    } finally {
      this.#isReading = false;
    }
  }

  /** Returns whether there may be more. */
  async #readPage(): Promise<boolean> {
    const { entries, hasGap } = await this.logs.read(this.log, { after: this.after, limit: pageSize });
    if (this.hasEnded) return false;
    // There is one until an entry follows, and it is announced once.
    if (hasGap && this.after !== this.#gapAfter) {
      this.#gapAfter = this.after;
      this.follower.onGap();
    }
    for (const entry of entries) {
      if (this.#isOver()) return false;
      this.after = entry.id;
      try {
        await this.follower.onEntry(entry);
      } catch (error) {
        this.follower.onError(toError(error));
      }
    }
    return entries.length === pageSize;
  }

  /** `hasEnded` changes while the follower works. */
  #isOver(): boolean {
    return this.hasEnded;
  }
}
