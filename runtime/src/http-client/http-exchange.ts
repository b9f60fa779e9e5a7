import type { RequestId } from "@mcpwright/protocol/contract";
import { INITIALIZE } from "@mcpwright/protocol/names";
import { SdkError, type SdkErrorCode } from "../jsonrpc/errors.js";
import { envelopeProblem, isObject } from "../jsonrpc/guards.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";

/** One POST or GET: the requests in it, and which of them still wait for their answer. */
export class HttpExchange {
  readonly #controller = new AbortController();
  readonly #waiting: Set<unknown>;
  readonly hasRequests: boolean;
  /** The request opens a session. */
  readonly isOpening: boolean;
  /** The request that messages on the stream belong to, where there is one alone. */
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
  recordResponses(message: unknown, batch: boolean | undefined): unknown {
    const only = this.relatedRequestId;
    const isStray = only !== undefined && isErrorMessage(message) && (message["id"] ?? undefined) === undefined;
    const taken: unknown = isStray ? { ...message, id: only } : message;
    for (const one of Array.isArray(taken) && batch !== false ? (taken as unknown[]) : [taken])
      if (isResponse(one)) this.#waiting.delete(one["id"]);
    return taken;
  }

  /** It should end by itself, and is abandoned if it has not in a while. */
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
