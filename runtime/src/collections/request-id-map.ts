import type { RequestId } from "@mcpwright/protocol/contract";

/** Maps request ids to values. Usually there is one at a time, which needs no `Map` (see `SwapRemoveSet` for the reason). */
export class RequestIdMap<Value extends object> {
  #id: RequestId | undefined;
  #value: Value | undefined;
  #others: Map<RequestId, Value> | undefined;

  get size(): number {
    return (this.#value ? 1 : 0) + (this.#others?.size ?? 0);
  }

  has(id: RequestId): boolean {
    return this.get(id) !== undefined;
  }

  get(id: RequestId): Value | undefined {
    return this.#value && this.#id === id ? this.#value : this.#others?.get(id);
  }

  set(id: RequestId, value: Value): void {
    if (this.#value ? this.#id !== id : this.#others?.has(id))
      (this.#others ??= new Map<RequestId, Value>()).set(id, value);
    else {
      this.#id = id;
      this.#value = value;
    }
  }

  delete(id: RequestId): void {
    if (this.#value && this.#id === id) this.#value = undefined;
    else this.#others?.delete(id);
  }

  values(): Value[] {
    return [...(this.#value ? [this.#value] : []), ...(this.#others?.values() ?? [])];
  }

  clear(): void {
    this.#value = this.#others = undefined;
  }
}
