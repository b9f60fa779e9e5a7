import { toResponseError } from "../shared/protocol.js";
import type { JSONRPCMessage, JSONRPCRequest, RequestId, Result } from "../types/index.js";

/** Runs the handler of requests that have none of their own; the runtime does not get them. */
export class FallbackRequests {
  readonly #running = new Map<RequestId, AbortController>();

  /** @param failed called with the error of a response that could not be sent */
  constructor(readonly failed: (error: Error) => void) {}

  /** Runs `handle`, and responds with its outcome, unless the request is cancelled until then. */
  async run(
    { id }: JSONRPCRequest,
    handle: (signal: AbortSignal) => unknown,
    respond: (message: JSONRPCMessage) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.set(id, controller);
    let response: JSONRPCMessage;
    try {
      response = { jsonrpc: "2.0", id, result: (await handle(signal)) as Result };
    } catch (error) {
      const { code, message, data } = toResponseError(error);
      response = { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
    }
    if (this.#running.get(id) === controller) this.#running.delete(id);
    if (signal.aborted) return;
    await respond(response)
      .catch((error: unknown) => this.failed(error instanceof Error ? error : new Error(String(error))))
      // A callback of the program that throws must not end the process.
      .catch(() => undefined);
  }

  /** Cancels a request. Returns whether it is running here. */
  cancel(id: unknown, reason: unknown): boolean {
    const controller = this.#running.get(id as RequestId);
    this.#running.delete(id as RequestId);
    controller?.abort(reason);
    return controller !== undefined;
  }

  /** Cancels all requests: the connection has ended. */
  cancelAll(reason: unknown): void {
    for (const controller of this.#running.values()) controller.abort(reason);
    this.#running.clear();
  }
}
