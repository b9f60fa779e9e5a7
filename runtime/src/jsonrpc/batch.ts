import type { JSONRPCResponse } from "./message-types.js";

/** Collects the answers to the requests of one batch and sends them together (JSON-RPC 2.0, section 6). */
export class Batch {
  readonly #responses: JSONRPCResponse[] = [];
  #open = 1;

  constructor(readonly send: (responses: readonly JSONRPCResponse[]) => void) {}

  /** One more request is under way. */
  addRequest(): void {
    this.#open++;
  }

  /** A request has ended; a cancelled one has no response. The one who made the batch calls it once, too. */
  endRequest(response?: JSONRPCResponse): void {
    if (response) this.#responses.push(response);
    if (--this.#open === 0 && this.#responses.length > 0) this.send(this.#responses);
  }
}
