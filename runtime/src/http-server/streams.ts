import { type Listed, Roster } from "../engine/roster.js";
import { sweeper, type Watched } from "../engine/sweeper.js";
import type { McpHandlerOptions } from "./options.js";

/** A stream that must not fall silent. */
interface Audible extends Listed {
  /** `performance.now()` of the last thing that was sent. */
  active: number;
  stayAlive(): void;
}

/** The open streams of an endpoint: how many there may be, and that none falls silent. */
export class Streams implements Watched {
  readonly #audible = new Roster<Audible>();
  readonly #standing = new Set<Audible>();
  readonly #keepAliveMs: number;
  readonly #max: number;

  constructor({ keepAliveMs = 15_000, maxStreams = 10_000 }: McpHandlerOptions) {
    this.#keepAliveMs = keepAliveMs > 0 ? keepAliveMs : Infinity;
    this.#max = maxStreams;
  }

  /** Writes to a stream now and then, so that no proxy takes it for dead, until it is released. */
  keepAlive(stream: Audible): void {
    stream.active = performance.now();
    this.#audible.add(stream);
    if (this.#audible.size === 1 && this.#keepAliveMs < Infinity)
      sweeper.watch(this, stream.active + this.#keepAliveMs);
  }

  /** The stream stays open for what may come, until it is released. */
  stands(stream: Audible): void {
    this.#standing.add(stream);
    this.keepAlive(stream);
  }

  released(stream: Audible): void {
    this.#audible.delete(stream);
    this.#standing.delete(stream);
  }

  sweep(now: number): number {
    for (const stream of this.#audible) {
      if (stream.active + this.#keepAliveMs > now) continue;
      stream.active = now;
      stream.stayAlive();
    }
    return this.#audible.size === 0 ? Infinity : now + this.#keepAliveMs / 4;
  }

  /** Whether one more may stay open, or this one, which may be one of them. */
  hasRoom(stream?: Audible): boolean {
    return this.#standing.size < this.#max || (stream !== undefined && this.#standing.has(stream));
  }
}
