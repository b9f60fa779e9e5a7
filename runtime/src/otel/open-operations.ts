import type { Operation } from "./operation.js";

/** Operations that wait for a response, by the id of their request. */
export class OpenOperations {
  readonly #operations = new Map<unknown, Operation[]>();

  /** A peer may use an id twice. The second request is rejected at once, so the first response is its own. */
  add(id: unknown, operation: Operation): void {
    this.#operations.set(id, [...(this.#operations.get(id) ?? []), operation]);
  }

  find(id: unknown): Operation | undefined {
    return this.#operations.get(id)?.at(-1);
  }

  /** Removes an operation and returns it. */
  take(id: unknown): Operation | undefined {
    const operations = this.#operations.get(id);
    const last = operations?.pop();
    if (operations?.length === 0) this.#operations.delete(id);
    return last;
  }

  /** Removes all operations and returns them. */
  takeAll(): readonly Operation[] {
    const all = [...this.#operations.values()].flat();
    this.#operations.clear();
    return all;
  }
}
