import type { RequestId } from "@mcpwright/protocol/contract";
import { INITIALIZE } from "@mcpwright/protocol/names";
import { SdkError, type SdkErrorCode } from "../jsonrpc/errors.js";
import { envelopeProblem, isObject } from "../jsonrpc/guards.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";

/** One POST or GET, with its requests that still wait for a response. */
export class HttpExchange {
  readonly #controller = new AbortController();
  readonly #waiting: Set<unknown>;
  readonly hasRequests: boolean;
  /** Whether the request opens a session. */
  readonly isOpening: boolean;
  /** The request that messages on the stream belong to, if there is exactly one. */
  readonly relatedRequestId: RequestId | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(message: JSONRPCMessage | readonly JSONRPCMessage[]) {
    const messages = (Array.isArray(message) ? message : [message]) as readonly { id?: RequestId; method?: string }[];
    const ids = messages.flatMap(({ id, method }) => (method !== undefined && id !== undefined ? [id] : []));
    this.#waiting = new Set(ids);
    this.isOpening = "method" in message && message.method === INITIALIZE;
    this.hasRequests = ids.length > 0;
    this.relatedRequestId = ids.length === 1 ? ids[0] : undefined;
  }

  /** Aborted when the caller no longer waits. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether all responses have arrived. */
  get isDone(): boolean {
    return this.#waiting.size === 0;
  }

  /**
   * Records which requests a message or batch responds to. When all have a response, the stream must end soon.
   * @param batch whether the revision has batches; without them a batch is rejected, and counts as no response
   * @returns the message; an error without a request id is assigned to the only request
   */
  recordResponses(message: unknown, batch: boolean | undefined): unknown {
    const only = this.relatedRequestId;
    const isStray = only !== undefined && isErrorMessage(message) && (message["id"] ?? undefined) === undefined;
    const taken: unknown = isStray ? { ...message, id: only } : message;
    for (const one of Array.isArray(taken) && batch !== false ? (taken as unknown[]) : [taken])
      if (isResponse(one)) this.#waiting.delete(one["id"]);
    return taken;
  }

  /** Abandons the exchange if it has not ended after `ms`. */
  expire(ms: number, code: SdkErrorCode, why: string): void {
    this.#timer ??= setTimeout(() => this.abandon(code, why), ms);
  }

  abandon(code: SdkErrorCode, why: string): void {
    this.#waiting.clear();
    this.#controller.abort(new SdkError(code, why));
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function isResponse(message: unknown): message is Readonly<Record<string, unknown>> {
  return envelopeProblem(message) === undefined && (message as { method?: unknown }).method === undefined;
}

export function isErrorMessage(message: unknown): message is Readonly<Record<string, unknown>> {
  return isObject(message) && isObject(message["error"]) && message["method"] === undefined;
}
