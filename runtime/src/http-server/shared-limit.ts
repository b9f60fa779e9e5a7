/** The client of a request: undefined for those that cannot be distinguished. */
export type ClientKey = string | undefined;

/** How many clients that take nothing are kept at least. */
const maxIdle = 1_000;

/** A limit on what all clients take together, and on the share of each client that can be distinguished. */
export class SharedLimit {
  #total = 0;
  /** What each client takes. Many come and go with each request: they are kept for a while, so that the map is rarely rehashed. */
  readonly clients = new Map<string, number>();
  #sweepSize = maxIdle;
  readonly #maxEach: number;

  /** @param share the part of `max` that one client may take; at least 1 of it */
  constructor(
    readonly max: number,
    share: number,
  ) {
    this.#maxEach = Math.max(1, max * share);
  }

  get total(): number {
    return this.#total;
  }

  /** Whether the client may take more. */
  hasRoom(client: ClientKey, amount = 1): boolean {
    return this.#total + amount <= this.max && !this.exceedsShare(client, amount);
  }

  /** Whether the client would take more than its share, even if there is room for others. */
  exceedsShare(client: ClientKey, amount = 1): boolean {
    return client !== undefined && (this.clients.get(client) ?? 0) + amount > this.#maxEach;
  }

  /** Counts what a client takes, even beyond the limit. @param amount negative for what it gives back */
  add(client: ClientKey, amount = 1): void {
    this.#total += amount;
    if (client === undefined) return;
    const taken = Math.max(0, (this.clients.get(client) ?? 0) + amount);
    this.clients.set(client, taken);
    if (taken > 0 || this.clients.size <= this.#sweepSize) return;
    for (const [one, left] of this.clients) if (left === 0) this.clients.delete(one);
    this.#sweepSize = 2 * this.clients.size + maxIdle;
  }
}
