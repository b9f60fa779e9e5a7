import { toError } from "../../jsonrpc/error-conversion.js";
import type { RedisChannels } from "../../redis/redis-channels.js";
import { timerDelay, unref } from "../../timing/timer-delay.js";

/** A change as scripts publish it: the stamps of the change before and of this one, and the ids. */
export type PublishedChange = readonly [before: number, stamp: number, ids: readonly string[]];

/** The newest change of each task after a time, and the stamp of the last change of all. */
export interface RecentChanges {
  readonly last: number;
  readonly changes: readonly { readonly id: string; readonly stamp: number }[];
}

/** How long after a failure the feed tries again. */
const retryMs = 1_000;
/** Changes of this time are read again after a gap: a failover may have lost some, with their stamps. In microseconds. */
const overlap = 60_000_000;
/** How many stamps are remembered, so that listeners are called once for each change. */
const maxRemembered = 10_000;

/**
 * Calls listeners with the ids of changed tasks. Own changes arrive with the replies of their scripts, those of other processes are
 * published. Each published change names the one before: when one is missing, or the connection was interrupted, the feed reads which
 * tasks have changed since.
 */
export class ChangeFeed {
  readonly #listeners = new Set<(id: string) => void>();
  /** The stamps of changes that were passed to the listeners, the oldest first. */
  readonly #seen = new Set<number>();
  /** All changes up to this stamp were received; 0 before the first ones. */
  #last = 0;
  /** When the first listener was added, in milliseconds of the monotonic clock. */
  #since = 0;
  #end: (() => void) | undefined;
  /** Counts the times in which there are listeners. */
  #period = 0;
  #isReading = false;
  #isBehind = false;

  /**
   * @param recent returns what has changed after a stamp, or if that is 0, until now, and some microseconds before
   * @param onerror called when changes cannot be received at the moment
   */
  constructor(
    readonly channels: RedisChannels,
    readonly channel: string,
    readonly recent: (after: number, age: number) => Promise<RecentChanges>,
    readonly onerror: (error: Error) => void,
  ) {}

  subscribe(listener: (id: string) => void): () => void {
    const own = (id: string): void => listener(id);
    this.#listeners.add(own);
    if (this.#listeners.size === 1) this.#start();
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#stop();
    };
  }

  /** Passes on a change by this process. */
  add([, stamp, ids]: PublishedChange): void {
    for (const id of ids) this.#notify(id, stamp);
    this.#remember(stamp);
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #start(): void {
    this.#since = performance.now();
    this.#last = 0;
    void this.#listen(++this.#period);
  }

  #stop(): void {
    this.#period++;
    this.#end?.();
    this.#end = undefined;
  }

  async #listen(period: number): Promise<void> {
    const subscriber = {
      onMessage: (text: string): void => this.#receive(JSON.parse(text) as PublishedChange),
      onGap: (): void => void this.#catchUp(),
    };
    while (period === this.#period)
      try {
        const end = await this.channels.subscribe(this.channel, subscriber);
        if (period !== this.#period) {
          end();
          return;
        }
        this.#end = end;
        await this.#catchUp();
        return;
      } catch (error) {
        this.onerror(toError(error));
        await pause();
      }
  }

  #receive([before, stamp, ids]: PublishedChange): void {
    for (const id of ids) this.#notify(id, stamp);
    this.#remember(stamp);
    if (this.#last !== 0 && before <= this.#last) this.#last = Math.max(this.#last, stamp);
    else void this.#catchUp();
  }

  /** Reads what has changed since the last change that was received. */
  async #catchUp(): Promise<void> {
    this.#isBehind = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isBehind && this.#listeners.size > 0) {
      this.#isBehind = false;
      const [after, period] = [this.#last, this.#period];
      const age = after === 0 ? Math.ceil((performance.now() - this.#since) * 1_000) + 1_000_000 : overlap;
      try {
        const { last, changes } = await this.recent(after, age);
        if (period !== this.#period) this.#isBehind = true;
        else this.#last = Math.max(this.#last, last, 1);
        for (const { id, stamp } of changes) this.#notify(id, stamp);
        for (const { stamp } of changes) this.#remember(stamp);
      } catch (error) {
        this.#isBehind = true;
        this.onerror(toError(error));
        await pause();
      }
    }
    this.#isReading = false;
  }

  #notify(id: string, stamp: number): void {
    if (!this.#seen.has(stamp)) for (const listener of this.#listeners) listener(id);
  }

  #remember(stamp: number): void {
    if (this.#listeners.size === 0) return;
    this.#seen.add(stamp);
    const [oldest = stamp] = this.#seen;
    if (this.#seen.size > maxRemembered) this.#seen.delete(oldest);
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => unref(setTimeout(resolve, timerDelay(retryMs))));
}
