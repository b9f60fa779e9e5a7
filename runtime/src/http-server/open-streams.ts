import { type SwapRemoveItem, SwapRemoveSet } from "../collections/swap-remove-set.js";
import { deadlineTimer, type HasDeadlines } from "../timing/deadline-timer.js";
import type { McpHandlerOptions } from "./options.js";

/** A stream that needs regular keep-alive comments. */
interface KeptAliveStream extends SwapRemoveItem {
  /** `performance.now()` of the last write. */
  lastSentAt: number;
  sendKeepAlive(): void;
}

/** The open streams of an endpoint: limits their number and writes keep-alive comments to idle ones. */
export class OpenStreams implements HasDeadlines {
  readonly #keptAlive = new SwapRemoveSet<KeptAliveStream>();
  readonly #standing = new Set<KeptAliveStream>();
  readonly #keepAliveMs: number;
  readonly #max: number;

  constructor({ keepAliveMs = 15_000, maxStreams = 10_000 }: McpHandlerOptions) {
    this.#keepAliveMs = keepAliveMs > 0 ? keepAliveMs : Infinity;
    this.#max = maxStreams;
  }

  /** Writes keep-alive comments to a stream until it is released, so that proxies do not close it. */
  keepAlive(stream: KeptAliveStream): void {
    stream.lastSentAt = performance.now();
    this.#keptAlive.add(stream);
    if (this.#keptAlive.size === 1 && this.#keepAliveMs < Infinity)
      deadlineTimer.schedule(this, stream.lastSentAt + this.#keepAliveMs);
  }

  /** Adds a standing stream, which stays open for later messages and counts towards `maxStreams` until it is released. */
  addStanding(stream: KeptAliveStream): void {
    this.#standing.add(stream);
    this.keepAlive(stream);
  }

  release(stream: KeptAliveStream): void {
    this.#keptAlive.delete(stream);
    this.#standing.delete(stream);
  }

  expireDue(now: number): number {
    for (const stream of this.#keptAlive) {
      if (stream.lastSentAt + this.#keepAliveMs > now) continue;
      stream.lastSentAt = now;
      stream.sendKeepAlive();
    }
    return this.#keptAlive.size === 0 ? Infinity : now + this.#keepAliveMs / 4;
  }

  /** Whether there is room for one more standing stream, or `stream` is one already. */
  hasRoom(stream?: KeptAliveStream): boolean {
    return this.#standing.size < this.#max || (stream !== undefined && this.#standing.has(stream));
  }
}
