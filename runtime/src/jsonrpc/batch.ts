import type { JSONRPCResponse } from "./message-types.js";
import { carriesProtocolVersion } from "./protocol-version-meta.js";

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

/**
 * Returns why a received batch is rejected.
 * @param profile that of the session's revision, if there is a session
 * @param maxLength maximum number of messages. Default: `1_000`
 */
export function batchProblem(
  messages: readonly unknown[],
  profile: { readonly batch: boolean } | undefined,
  maxLength = 1_000,
): string | undefined {
  if (!profile) return "a batch needs a session whose revision supports batches";
  if (!profile.batch || messages.some(carriesProtocolVersion)) return "this revision does not support batches";
  if (messages.length === 0) return "the batch is empty";
  return messages.length > maxLength ? `the batch has more than ${maxLength} messages` : undefined;
}
