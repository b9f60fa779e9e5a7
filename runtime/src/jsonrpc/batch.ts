import type { JSONRPCResponse } from "./message-types.js";

/** Collects the responses to the requests of one batch and sends them together (JSON-RPC 2.0, section 6). */
export class Batch {
  readonly #responses: JSONRPCResponse[] = [];
  #open = 1;

  constructor(readonly send: (responses: readonly JSONRPCResponse[]) => void) {}

  /** Counts a request in progress. */
  addRequest(): void {
    this.#open++;
  }

  /** Ends a request; a cancelled one has no response. The creator of the batch also calls it once. */
  endRequest(response?: JSONRPCResponse): void {
    if (response) this.#responses.push(response);
    if (--this.#open === 0 && this.#responses.length > 0) this.send(this.#responses);
  }
}
