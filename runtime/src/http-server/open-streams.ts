import { SwapRemoveSet } from "../collections/swap-remove-set.js";
import { deadlineTimer, type HasDeadlines } from "../timing/deadline-timer.js";
import type { HttpRequest } from "./host-adapter.js";
import type { AuthorizationGate } from "./http-authorization.js";
import type { KeptAliveStream } from "./kept-alive-stream.js";
import type { McpHandlerOptions } from "./options.js";
import { type ClientKey, SharedLimit } from "./shared-limit.js";

/** The default of `keepAliveMs`, and how often pending responses are looked at without comments. */
const defaultIntervalMs = 15_000;

/** The pending and open streams of an endpoint: limits their number, and writes keep-alive comments to idle ones. */
export class OpenStreams implements HasDeadlines {
  readonly #keptAlive = new SwapRemoveSet<KeptAliveStream>();
  readonly #standing = new Set<KeptAliveStream>();
  readonly #writesComments: boolean;
  readonly #intervalMs: number;
  readonly #places: SharedLimit;

  constructor(
    { keepAliveMs = defaultIntervalMs, maxStreams = 10_000 }: McpHandlerOptions,
    clientShare: number,
    readonly gate: AuthorizationGate | undefined,
  ) {
    this.#writesComments = keepAliveMs > 0 && keepAliveMs < Infinity;
    this.#intervalMs = this.#writesComments ? keepAliveMs : defaultIntervalMs;
    this.#places = new SharedLimit(maxStreams, clientShare);
  }

  /** Writes keep-alive comments to a stream until it is released, so that proxies do not close it and departures are noticed. */
  keepAlive(stream: KeptAliveStream): void {
    stream.lastSentAt = performance.now();
    this.#keptAlive.add(stream);
    if (this.#keptAlive.size === 1) deadlineTimer.schedule(this, stream.lastSentAt + this.#intervalMs);
  }

  /** Adds a standing stream, which stays open for later messages and counts towards `maxStreams` until it is released. */
  addStanding(stream: KeptAliveStream, request: HttpRequest): void {
    if (!this.#standing.has(stream)) this.#places.add(stream.client);
    this.#standing.add(stream);
    this.keepAlive(stream);
    this.gate?.watch(stream, request);
  }

  /** The number of standing streams. */
  get size(): number {
    return this.#standing.size;
  }

  /** All streams, also the pending responses. */
  get all(): Iterable<object> {
    return this.#keptAlive;
  }

  release(stream: KeptAliveStream): void {
    this.#keptAlive.delete(stream);
    if (!this.#standing.delete(stream)) return;
    this.#places.add(stream.client, -1);
    this.gate?.forget(stream);
  }

  expireDue(now: number): number {
    for (const stream of this.#keptAlive) {
      if (stream.lastSentAt + this.#intervalMs > now) continue;
      stream.lastSentAt = now;
      if (this.#writesComments) stream.sendKeepAlive();
      else stream.watchDisconnect();
    }
    return this.#keptAlive.size === 0 ? Infinity : now + this.#intervalMs / 4;
  }

  /** Whether there is room for one more standing stream of a client, or `stream` is one already. */
  hasRoom(client?: ClientKey, stream?: KeptAliveStream): boolean {
    return this.#places.hasRoom(client) || (stream !== undefined && this.#standing.has(stream));
  }
}
