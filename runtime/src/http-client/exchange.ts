import type { RequestId } from "@mcpwright/protocol/contract";
import { SdkError } from "../engine/errors.js";
import { envelopeProblem, isObject, type JSONRPCMessage } from "../engine/json-rpc.js";

/** How long a stream may stay open after all has come over it. */
const lingerMs = 1_000;

/** One POST or GET: the requests in it, and which of them still wait for their answer. */
export class Exchange {
  readonly #controller = new AbortController();
  readonly #waiting: Set<unknown>;
  readonly hasRequests: boolean;
  /** The request that messages on the stream belong to, where there is one alone. */
  readonly relatedRequestId: RequestId | undefined;
  #linger: ReturnType<typeof setTimeout> | undefined;

  constructor(message: JSONRPCMessage | readonly JSONRPCMessage[]) {
    const messages = (Array.isArray(message) ? message : [message]) as readonly { id?: RequestId; method?: string }[];
    const ids = messages.flatMap(({ id, method }) => (method !== undefined && id !== undefined ? [id] : []));
    this.#waiting = new Set(ids);
    this.hasRequests = ids.length > 0;
    this.relatedRequestId = ids.length === 1 ? ids[0] : undefined;
  }

  /** Aborted when nobody waits any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** No answer is waited for. */
  get isDone(): boolean {
    return this.#waiting.size === 0;
  }

  /**
   * Notes which requests a message, or a batch, answers. Once all are, the stream has to end soon.
   * @param batch whether there are batches: what will be refused is no answer
   * @returns the message; an error that names no request belongs to the only one there is
   */
  take(message: unknown, batch: boolean | undefined): unknown {
    const only = this.relatedRequestId;
    const isStray = only !== undefined && isErrorMessage(message) && (message["id"] ?? undefined) === undefined;
    const taken: unknown = isStray ? { ...message, id: only } : message;
    for (const one of Array.isArray(taken) && batch !== false ? (taken as unknown[]) : [taken])
      if (isResponse(one)) this.#waiting.delete(one["id"]);
    return taken;
  }

  /** All has come over a stream: it should end now, and is ended otherwise. */
  linger(): void {
    this.#linger ??= setTimeout(
      () => this.abandon(new SdkError("REQUEST_CANCELLED", "the stream stayed open after the answer")),
      lingerMs,
    );
  }

  abandon(reason: SdkError): void {
    this.#waiting.clear();
    this.#controller.abort(reason);
  }

  end(): void {
    clearTimeout(this.#linger);
  }
}

function isResponse(message: unknown): message is Readonly<Record<string, unknown>> {
  return envelopeProblem(message) === undefined && (message as { method?: unknown }).method === undefined;
}

export function isErrorMessage(message: unknown): message is Readonly<Record<string, unknown>> {
  return isObject(message) && isObject(message["error"]) && message["method"] === undefined;
}
