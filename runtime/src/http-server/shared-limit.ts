/** The client of a request: undefined for those that cannot be distinguished. */
export type ClientKey = string | undefined;

/** A limit on what all clients take together, and on the share of each client that can be distinguished. */
export class SharedLimit {
  #total = 0;
  readonly #byClient = new Map<string, number>();
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
    return client !== undefined && (this.#byClient.get(client) ?? 0) + amount > this.#maxEach;
  }

  /** Counts what a client takes, even beyond the limit. @param amount negative for what it gives back */
  add(client: ClientKey, amount = 1): void {
    this.#total += amount;
    if (client === undefined) return;
    const taken = (this.#byClient.get(client) ?? 0) + amount;
    if (taken > 0) this.#byClient.set(client, taken);
    else this.#byClient.delete(client);
  }
}
