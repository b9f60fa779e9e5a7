import type { RequestId } from "@mcpwright/protocol/contract";
import { toError } from "../jsonrpc/error-conversion.js";
import { RemoteError, SdkError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";
import type { JSONRPCErrorObject, JSONRPCNotification, Params } from "../jsonrpc/message-types.js";
import { deadlineTimer, type HasDeadlines } from "../timing/deadline-timer.js";
import type { CallOptions } from "./call-options.js";

/** Who waits for the answer to a sent request. */
export interface ResponseWaiter {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface PendingRequest {
  readonly waiter: ResponseWaiter;
  readonly method: string;
  /** Of the caller's own choice, or the id. */
  readonly token: unknown;
  readonly options: CallOptions;
  readonly timeoutMs: number;
  readonly limit: number;
  deadline: number;
  progress: number;
  /** How many questions have to be answered before an answer can come. */
  pauses: number;
  readonly onAbort: (() => void) | undefined;
}

/** The requests that wait for an answer: their ids, deadlines and progress. */
export class PendingRequests implements HasDeadlines {
  readonly #pending = new Map<unknown, PendingRequest>();
  #nextId = 1;

  /**
   * @param sendCancellation tells the peer that an answer is not wanted any more
   * @param callHook calls what the one who has sent a request wants to be told by
   */
  constructor(
    readonly sendCancellation: (
      id: RequestId,
      method: string,
      reason: string,
      relatedTo: RequestId | undefined,
    ) => void,
    readonly callHook: (hook: () => unknown) => void,
  ) {}

  get size(): number {
    return this.#pending.size;
  }

  /** The id for the next request; no two requests of a connection have the same. */
  newId(): number {
    return this.#nextId++;
  }

  /** Whether a request that waits asks for progress by this token (MCP, progress: tokens are unique). */
  hasToken(token: unknown): boolean {
    for (const pending of this.#pending.values()) if (pending.token === token) return true;
    return false;
  }

  add(
    id: number,
    method: string,
    token: unknown,
    options: CallOptions,
    timeoutMs: number,
    maxTotalMs: number,
    settlement: ResponseWaiter,
  ): void {
    const now = performance.now();
    const limit = now + maxTotalMs;
    const deadline = Math.min(now + timeoutMs, limit);
    if (Number.isNaN(deadline))
      throw new SdkError("INVALID_CONFIGURATION", `${method} was not sent: timeoutMs and maxTotalMs must not be NaN`);
    const { signal } = options;
    const pending: PendingRequest = {
      waiter: settlement,
      token,
      method,
      options,
      timeoutMs,
      limit,
      deadline,
      progress: -Infinity,
      pauses: 0,
      onAbort: signal && (() => this.#abandon(id, signal.reason, toError(signal.reason).message)),
    };
    this.#pending.set(id, pending);
    deadlineTimer.schedule(this, deadline);
    if (pending.onAbort) signal?.addEventListener("abort", pending.onAbort, { once: true });
  }

  /**
   * Stops the clock of `timeoutMs` while the peer waits for us.
   * @param id the request that the peer works on; undefined: any of them
   * @returns starts it anew
   */
  pauseTimeout(id: RequestId | undefined): () => void {
    const paused = [...this.#pending].filter(([one]) => id === undefined || one === id).map(([, pending]) => pending);
    for (const pending of paused) {
      pending.pauses++;
      pending.deadline = pending.limit;
    }
    return () => {
      const now = performance.now();
      for (const pending of paused.splice(0)) {
        if (--pending.pauses > 0) continue;
        pending.deadline = Math.min(now + pending.timeoutMs, pending.limit);
        deadlineTimer.schedule(this, pending.deadline);
      }
    };
  }

  /** Who waits for the answer to a request. */
  waiterOf(id: unknown): ResponseWaiter | undefined {
    return this.#pending.get(id)?.waiter;
  }

  /** Ends a request that cannot be answered. */
  fail(id: unknown, error: unknown): void {
    this.#take(id)?.waiter.reject(error);
  }

  /** Ends the request whose answer is not read. Returns whether there is one. */
  rejectUnreadable(id: unknown, cause: Error): boolean {
    const pending = this.#take(id);
    pending?.waiter.reject(
      new SdkError("INVALID_MESSAGE", `the answer is not read: ${cause.message}`, undefined, { cause }),
    );
    return pending !== undefined;
  }

  failAll(error: unknown): void {
    for (const id of this.#pending.keys()) this.fail(id, error);
  }

  /**
   * Settles the request that a response belongs to.
   * @returns what is wrong with the response, if that concerns no request
   */
  settle(response: Readonly<Record<string, unknown>>): Error | undefined {
    const { id } = response;
    // Peers in the field send both members, and null in the one that they do not mean.
    const result = response["result"] ?? undefined;
    const error = response["error"] ?? undefined;
    const known = isErrorObject(error) ? new RemoteError(error.code, error.message, error.data) : undefined;
    if (id === undefined || id === null)
      return known ?? new SdkError("INVALID_MESSAGE", "received a response without id");
    const pending = this.#take(id);
    if (!pending) return new SdkError("INVALID_MESSAGE", "received a response to no request", { id });
    const { waiter, method } = pending;
    if (known && result === undefined) waiter.reject(known);
    else if (error === undefined && isObject(result)) waiter.resolve(result);
    else {
      const answer =
        error === undefined ? "a result that is no object" : known ? "both a result and an error" : "a malformed error";
      waiter.reject(new SdkError("INVALID_MESSAGE", `${method} was answered by ${answer}`, { result, error }));
    }
    return undefined;
  }

  /** Hands progress to the request that asked for it. Returns whether there is one, and the progress is legal. */
  deliverProgress({ progressToken, progress, total, message }: Params): boolean {
    const pending = this.#pending.get(progressToken);
    if (!pending?.options.onProgress || typeof progress !== "number" || !(progress > pending.progress)) return false;
    pending.progress = progress;
    if (pending.options.resetTimeoutOnProgress !== false && pending.pauses === 0)
      pending.deadline = Math.min(performance.now() + pending.timeoutMs, pending.limit);
    const report = {
      progress,
      ...(typeof total === "number" && { total }),
      ...(typeof message === "string" && { message }),
    };
    this.callHook(() => pending.options.onProgress?.(report));
    return true;
  }

  /** Hands a notification to the request on whose stream it came. */
  deliverNotification(id: RequestId, notification: JSONRPCNotification): void {
    const options = this.#pending.get(id)?.options;
    if (options?.onNotification) this.callHook(() => options.onNotification?.(notification));
  }

  expireDue(now: number): number {
    let next = Infinity;
    for (const [id, { deadline, method, timeoutMs }] of this.#pending) {
      if (deadline > now) next = Math.min(next, deadline);
      else {
        const error = new SdkError("REQUEST_TIMEOUT", `${method} was not answered in time`, { timeoutMs });
        this.#abandon(id as RequestId, error, "timeout");
      }
    }
    return next;
  }

  #abandon(id: RequestId, error: unknown, reason: string): void {
    const pending = this.#take(id);
    if (!pending) return;
    pending.waiter.reject(error);
    this.sendCancellation(id, pending.method, reason, pending.options.relatedRequestId);
  }

  #take(id: unknown): PendingRequest | undefined {
    const pending = this.#pending.get(id);
    if (!pending) return undefined;
    this.#pending.delete(id);
    if (pending.onAbort) pending.options.signal?.removeEventListener("abort", pending.onAbort);
    return pending;
  }
}

function isErrorObject(value: unknown): value is JSONRPCErrorObject {
  return isObject(value) && Number.isInteger(value["code"]) && typeof value["message"] === "string";
}
