/** A queue that serves its clients in turn, so that one with many entries does not keep the others waiting. */
export class FairQueue<Entry> {
  /** The entries of each client, in the order in which the clients have their turns. */
  readonly #clients = new Map<unknown, Set<Entry>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(client: unknown, entry: Entry): void {
    const entries = this.#clients.get(client) ?? new Set();
    this.#clients.set(client, entries.add(entry));
    this.#size++;
  }

  /** Removes an entry; does nothing if it is not in the queue. */
  delete(client: unknown, entry: Entry): void {
    const entries = this.#clients.get(client);
    if (!entries?.delete(entry)) return;
    this.#size--;
    if (entries.size === 0) this.#clients.delete(client);
  }

  /** Removes the oldest entry of the client whose turn it is. */
  shift(): Entry | undefined {
    for (const [client, entries] of this.#clients)
      for (const entry of entries) {
        this.delete(client, entry);
        // Its next entry waits for the turns of the others.
        if (this.#clients.delete(client)) this.#clients.set(client, entries);
        return entry;
      }
    return undefined;
  }

  /**
   * The newest entry of the client with the most, if that client would still have as many as `client` after it is removed and `client`
   * has added one: in a full queue, it gives way.
   */
  displacedBy(client: unknown): { readonly client: unknown; readonly entry: Entry } | undefined {
    let longest: { readonly client: unknown; readonly entries: Set<Entry> } | undefined;
    for (const [other, entries] of this.#clients)
      if (entries.size > (longest?.entries.size ?? 0)) longest = { client: other, entries };
    const own = this.#clients.get(client)?.size ?? 0;
    if (!longest || longest.entries.size < own + 2) return undefined;
    const entry = [...longest.entries].at(-1);
    return entry === undefined ? undefined : { client: longest.client, entry };
  }
}
