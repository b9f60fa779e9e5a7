import type { ClientKey, SharedLimit } from "./shared-limit.js";

/** A call that waits for the next request of its client. */
interface KeptCall {
  readonly client: ClientKey;
  readonly bytes: number;
  /** Ends the call, which frees its place. */
  readonly giveWay: () => void;
}

/** The suspended calls of an endpoint. When there is no room for another one, the oldest gives way. */
export class SuspendedPlaces {
  /** The oldest come first. */
  readonly #calls = new Set<KeptCall>();

  constructor(
    readonly places: SharedLimit,
    readonly memory: SharedLimit,
  ) {}

  /**
   * Adds a call, whose memory is counted already. Of older calls, those of the same client give way first.
   * @returns a function that frees the place and the memory
   */
  add(client: ClientKey, bytes: number, giveWay: () => void): () => void {
    this.#makeRoom(this.places, client, 1);
    this.makeMemory(client, 0);
    const call: KeptCall = { client, bytes, giveWay };
    this.#calls.add(call);
    this.places.add(client);
    return () => {
      this.#calls.delete(call);
      this.places.add(client, -1);
      this.memory.add(client, -bytes);
    };
  }

  /** Makes room for memory that a client needs, as long as there are calls that can give way. Returns whether there is. */
  makeMemory(client: ClientKey, bytes: number): boolean {
    return this.#makeRoom(this.memory, client, bytes);
  }

  #makeRoom(limit: SharedLimit, client: ClientKey, amount: number): boolean {
    while (!limit.hasRoom(client, amount)) {
      const oldest = this.#oldest(client, limit.exceedsShare(client, amount));
      if (!oldest) return false;
      oldest.giveWay();
      this.#calls.delete(oldest);
    }
    return true;
  }

  #oldest(client: ClientKey, isOverShare: boolean): KeptCall | undefined {
    for (const call of this.#calls) if (call.client === client) return call;
    const [first] = this.#calls;
    return isOverShare ? undefined : first;
  }
}
