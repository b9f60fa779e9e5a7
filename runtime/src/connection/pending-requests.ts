import type { RequestId } from "@mcpwright/protocol/contract";
import { RequestIdMap } from "../collections/request-id-map.js";
import { toError } from "../jsonrpc/error-conversion.js";
import { RemoteError, SdkError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";
import type { JSONRPCErrorObject, JSONRPCNotification, Params } from "../jsonrpc/message-types.js";
import { deadlineTimer, type HasDeadlines } from "../timing/deadline-timer.js";
import type { CallOptions } from "./call-options.js";
import type { ConnectionTelemetry } from "./telemetry.js";

/** Callbacks for the response to a sent request. */
export interface ResponseWaiter {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface PendingRequest {
  readonly id: RequestId;
  readonly waiter: ResponseWaiter;
  readonly method: string;
  /** The progress token: the caller's own, or the id. */
  readonly token: unknown;
  readonly options: CallOptions;
  readonly timeoutMs: number;
  readonly limit: number;
  deadline: number;
  progress: number;
  /** The number of the peer's input requests in progress; the timeout is paused while it is above 0. */
  pauses: number;
  readonly onAbort: (() => void) | undefined;
}

/** The most requests of which it is remembered that their responses may still arrive. */
const maxLate = 100;

/** The sent requests that wait for a response: their ids, deadlines and progress. */
export class PendingRequests implements HasDeadlines {
  readonly #pending = new RequestIdMap<PendingRequest>();
  /** The ids of requests that ended without a response. */
  readonly #late = new Set<unknown>();
  #nextId = 1;

  /**
   * @param sendCancellation notifies the peer that a request is cancelled
   * @param callHook calls a hook from the options of a request
   */
  constructor(
    readonly sendCancellation: (
      id: RequestId,
      method: string,
      reason: string,
      relatedTo: RequestId | undefined,
    ) => void,
    readonly callHook: (hook: () => unknown) => void,
    readonly telemetry: ConnectionTelemetry | undefined,
  ) {}

  get size(): number {
    return this.#pending.size;
  }

  /** Returns an id that no other request of the connection has. @param prefix makes it different from those of other connections */
  newId(prefix: string | undefined): RequestId {
    return prefix === undefined ? this.#nextId++ : `${prefix}${this.#nextId++}`;
  }

  /** @throws SdkError `INVALID_CONFIGURATION` when a progress token of the caller's can be another request's */
  assertToken(method: string, token: unknown): void {
    // MCP, progress: tokens are unique.
    const why =
      typeof token === "number"
        ? "must be a string: the connection assigns the numbers"
        : token !== undefined &&
          this.#pending.values().some((pending) => pending.token === token) &&
          "is used by another pending request; choose a unique string";
    if (why) throw new SdkError("INVALID_CONFIGURATION", `${method} was not sent: progressToken ${why}`);
  }

  add(
    id: RequestId,
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
      id,
      waiter: settlement,
      token,
      method,
      options,
      timeoutMs,
      limit,
      deadline,
      progress: -Infinity,
      pauses: 0,
      onAbort: signal && (() => this.#abandon(id, signal.reason)),
    };
    this.#pending.set(id, pending);
    deadlineTimer.schedule(this, deadline);
    if (pending.onAbort) signal?.addEventListener("abort", pending.onAbort, { once: true });
    options.onSent?.((reason) => this.#abandon(id, reason));
  }

  /**
   * Pauses `timeoutMs` while the peer waits for this side.
   * @param id the request to pause; undefined: all pending requests
   * @returns a function that restarts the timeout
   */
  pauseTimeout(id: RequestId | undefined): () => void {
    const paused = id === undefined ? this.#pending.values() : [this.#pending.get(id) ?? []].flat();
    for (const pending of paused) {
      pending.pauses++;
      pending.deadline = pending.limit;
    }
    return () => {
      for (const pending of paused.splice(0)) if (--pending.pauses === 0) this.#restart(pending);
    };
  }

  #restart(pending: PendingRequest): void {
    pending.deadline = Math.min(performance.now() + pending.timeoutMs, pending.limit);
    deadlineTimer.schedule(this, pending.deadline);
  }

  /** Returns the callbacks of a pending request. */
  waiterOf(id: unknown): ResponseWaiter | undefined {
    return this.#pending.get(id as RequestId)?.waiter;
  }

  /** Rejects a pending request. A response that arrives later is ignored. Returns the request, if there is one. */
  fail(id: unknown, error: unknown): PendingRequest | undefined {
    const pending = this.#take(id);
    this.telemetry?.fail(id, error);
    pending?.waiter.reject(error);
    if (pending) {
      const [oldest] = this.#late.add(id);
      if (this.#late.size > maxLate) this.#late.delete(oldest);
    }
    return pending;
  }

  /** Rejects the pending request whose response cannot be read. Returns whether there is one. */
  rejectUnreadable(id: unknown, cause: Error): boolean {
    const message = `the response cannot be read: ${cause.message}`;
    return this.fail(id, new SdkError("INVALID_MESSAGE", message, undefined, { cause })) !== undefined;
  }

  failAll(error: unknown): void {
    for (const { id } of this.#pending.values()) this.fail(id, error);
  }

  /**
   * Settles the request that a response belongs to.
   * @returns the error to report when the response belongs to no request
   */
  settle(response: Readonly<Record<string, unknown>>): Error | undefined {
    const { id } = response;
    // Some peers send both members, with null for the unused one.
    const result = response["result"] ?? undefined;
    const error = response["error"] ?? undefined;
    const known = isErrorObject(error) ? new RemoteError(error.code, error.message, error.data) : undefined;
    if (id === undefined || id === null)
      return known ?? new SdkError("INVALID_MESSAGE", "received a response without id");
    const pending = this.#take(id);
    if (!pending)
      // It was on its way when this side gave the request up (MCP, cancellation: the sender should ignore it).
      return this.#late.delete(id)
        ? undefined
        : new SdkError("INVALID_MESSAGE", "received a response whose id matches no pending request", { id });
    const { waiter, method } = pending;
    if (known && result === undefined) waiter.reject(known);
    else if (error === undefined && isObject(result)) waiter.resolve(result);
    else {
      const problem =
        error === undefined ? "a non-object result" : known ? "both a result and an error" : "a malformed error";
      waiter.reject(new SdkError("INVALID_MESSAGE", `the response to ${method} has ${problem}`, { result, error }));
    }
    return undefined;
  }

  /** Passes progress to the request that asked for it. Returns whether there is one and the progress is valid. */
  deliverProgress({ progressToken, progress, total, message }: Params): boolean {
    const pending = this.#pending.get(progressToken as RequestId);
    if (!pending?.options.onProgress || typeof progress !== "number" || !(progress > pending.progress)) return false;
    pending.progress = progress;
    if (pending.options.resetTimeoutOnProgress !== false && pending.pauses === 0) this.#restart(pending);
    const report = {
      progress,
      ...(typeof total === "number" && { total }),
      ...(typeof message === "string" && { message }),
    };
    this.callHook(() => pending.options.onProgress?.(report));
    return true;
  }

  /** Passes a notification to the request on whose stream it was received. */
  deliverNotification(id: RequestId, notification: JSONRPCNotification): void {
    const options = this.#pending.get(id)?.options;
    if (options?.onNotification) this.callHook(() => options.onNotification?.(notification));
  }

  expireDue(now: number): number {
    let next = Infinity;
    for (const { id, deadline, method, timeoutMs } of this.#pending.values()) {
      if (deadline > now) next = Math.min(next, deadline);
      else {
        const error = new SdkError("REQUEST_TIMEOUT", `${method} was not answered in time`, { timeoutMs });
        this.#abandon(id, error, "timeout");
      }
    }
    return next;
  }

  #abandon(id: RequestId, error: unknown, reason = toError(error).message): void {
    const pending = this.fail(id, error);
    if (pending) this.sendCancellation(id, pending.method, reason, pending.options.relatedRequestId);
  }

  #take(id: unknown): PendingRequest | undefined {
    const pending = this.#pending.get(id as RequestId);
    if (!pending) return undefined;
    this.#pending.delete(pending.id);
    if (pending.onAbort) pending.options.signal?.removeEventListener("abort", pending.onAbort);
    return pending;
  }
}

function isErrorObject(value: unknown): value is JSONRPCErrorObject {
  return isObject(value) && Number.isInteger(value["code"]) && typeof value["message"] === "string";
}
