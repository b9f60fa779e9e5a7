import type { RequestId } from "@mcpwright/protocol/contract";

/** More are of no use: one request that waits for long has an id far from those of all later ones. */
const mostSlots = 4_096;

/**
 * Maps request ids to values, in an array with a slot for each number that peers count up to: a `Map` of all requests would cost several
 * microseconds per request (see `SwapRemoveSet` for the reason). It has only the ids whose slot another one has taken.
 */
export class RequestIdMap<Value extends object> {
  /** Usually there is one request at a time. */
  #ids: (RequestId | undefined)[] = [undefined];
  #values: (Value | undefined)[] = [undefined];
  #taken = 0;
  #others: Map<RequestId, Value> | undefined;

  get size(): number {
    return this.#taken + (this.#others?.size ?? 0);
  }

  has(id: RequestId): boolean {
    return this.get(id) !== undefined;
  }

  get(id: RequestId): Value | undefined {
    const at = this.#slotOf(id);
    return this.#ids[at] === id ? this.#values[at] : this.#others?.get(id);
  }

  set(id: RequestId, value: Value): void {
    const at = this.#slotOf(id);
    if (this.#ids[at] === id) this.#values[at] = value;
    else if (this.#others?.has(id)) this.#others.set(id, value);
    else if (this.#ids[at] === undefined) {
      this.#ids[at] = id;
      this.#values[at] = value;
      this.#taken++;
    } else if (this.#grow()) this.set(id, value);
    else (this.#others ??= new Map<RequestId, Value>()).set(id, value);
  }

  delete(id: RequestId): void {
    const at = this.#slotOf(id);
    if (this.#values[at] && this.#ids[at] === id) {
      this.#ids[at] = this.#values[at] = undefined;
      this.#taken--;
    } else this.#others?.delete(id);
  }

  /** In no order. */
  values(): Value[] {
    return [...this.#values, ...(this.#others?.values() ?? [])].filter((value) => value !== undefined);
  }

  clear(): void {
    this.#allocate(1);
    this.#others = undefined;
  }

  #slotOf(id: RequestId): number {
    return typeof id === "number" ? id & (this.#ids.length - 1) : 0;
  }

  /** Adds slots if half of them are taken. */
  #grow(): boolean {
    const [ids, values] = [this.#ids, this.#values];
    if (this.#taken * 2 < ids.length || ids.length === mostSlots) return false;
    this.#allocate(Math.max(16, ids.length * 2));
    // Ids with different slots have different ones among more, too.
    for (const [at, id] of ids.entries()) {
      const value = values[at];
      if (id !== undefined && value) this.set(id, value);
    }
    return true;
  }

  #allocate(slots: number): void {
    this.#ids = Array<undefined>(slots).fill(undefined);
    this.#values = Array<undefined>(slots).fill(undefined);
    this.#taken = 0;
  }
}
