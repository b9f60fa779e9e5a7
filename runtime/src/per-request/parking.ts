import { checkInputRequest, type InputRequest } from "../ask/check.js";
import { isInputRequired } from "../ask/question.js";
import type { InputRequests } from "../authoring.js";
import type { HandlerOutcome } from "../engine/call.js";
import { ErrorCode, ProtocolError, SdkError } from "../engine/errors.js";
import { ownMember } from "../engine/json-rpc.js";
import { connectionClosedError } from "../engine/messages.js";
import { deadlineTimer, type HasDeadlines } from "../engine/sweeper.js";
import { checkRoundLimit } from "../handshake/questions.js";
import type { ServerConnection } from "../server/connection.js";
import type { ServerContext } from "../server/context.js";
import { inputRequiredResult, checkInputResponse } from "./questions.js";
import { sealState } from "./state.js";

export interface SuspensionOptions {
  /** Handlers that may wait at once; one more fails. Default 1,000. */
  readonly max?: number;
  /** Milliseconds that a handler waits for the client to come back. Default 900,000. */
  readonly ttlMs?: number;
}

/** The handlers of this process that wait for a client to come back with answers. */
export class SuspendedCalls implements HasDeadlines {
  readonly #calls = new Map<string, { readonly run: SuspendedCall; readonly due: number }>();

  constructor(readonly options: SuspensionOptions = {}) {}

  /** @throws ProtocolError -32603 when too many wait already */
  add(id: string, call: SuspendedCall): void {
    const { max = 1_000, ttlMs = 900_000 } = this.options;
    if (this.#calls.size >= max) throw new ProtocolError(ErrorCode.InternalError, "Too many requests wait for input");
    const due = performance.now() + ttlMs;
    this.#calls.set(id, { run: call, due });
    deadlineTimer.schedule(this, due);
  }

  /** Gives a waiting handler to the first who asks for it. */
  take(id: string): SuspendedCall | undefined {
    const entry = this.#calls.get(id);
    this.#calls.delete(id);
    return entry?.run;
  }

  expireDue(now: number): number {
    for (const [id, { run: call, due }] of this.#calls) {
      if (due > now) return due;
      this.#calls.delete(id);
      call.abort(new SdkError("REQUEST_TIMEOUT", "the client did not come back with its answers in time"));
    }
    return Infinity;
  }

  /** Ends the waits of a connection that is gone, and with it the only one who could bring answers. */
  abortAll(connection: ServerConnection, cause: Error | undefined): void {
    for (const { run: call } of this.#calls.values())
      if (call.context.connection === connection) call.abort(connectionClosedError(cause));
  }
}

interface WaitingInputRequest {
  readonly request: InputRequest;
  readonly resolve: (response: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** The client has answered it once, with something that could not be used. */
  retried: boolean;
}

/** A handler that awaits answers in the stateless era: each comes with a later request, which carries it on. */
export class SuspendedCall {
  /** The request that is open now; undefined while the client is away. */
  activeRequest: ServerContext | undefined;
  readonly #waiting = new Map<string, WaitingInputRequest>();
  #outcome: HandlerOutcome | undefined;
  #rounds = 0;
  #isSuspending = false;
  #id: string | undefined;

  constructor(
    readonly context: ServerContext,
    readonly suspendedCalls: SuspendedCalls,
  ) {
    this.#setActiveRequest(context);
  }

  requestInput(key: string, request: InputRequest): Promise<unknown> {
    const { client } = this.activeRequest ?? this.context;
    checkInputRequest(client.side, client.capabilities, request);
    if (this.#waiting.has(key))
      throw new SdkError("CANNOT_ASK", `"${key}" is being asked already; give each question its own key`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(key, { request, resolve, reject, retried: false });
      this.#suspendSoon();
    });
  }

  /** The client is back. */
  resume(carrier: ServerContext, responses: Readonly<Record<string, unknown>>): void {
    if (carrier.done) return this.abort(carrier.signal.reason);
    carrier.resumes = this;
    this.#setActiveRequest(carrier);
    this.#id = undefined;
    try {
      for (const [key, waiting] of this.#waiting) {
        const response = ownMember(responses, key);
        if (response === undefined) continue;
        const accepted = checkInputResponse(carrier, key, waiting.request, response, waiting.retried);
        waiting.retried = true;
        if (!accepted) continue;
        this.#waiting.delete(key);
        waiting.resolve(accepted);
      }
    } catch (error) {
      return this.#settle({ error });
    }
    if (this.#outcome) this.#settle(this.#outcome);
    else this.#suspendSoon();
  }

  /** The handler has ended; if the client is away, the outcome waits for it. */
  onOutcome(outcome: HandlerOutcome): void {
    this.#outcome = outcome;
    if (this.activeRequest) this.#settle(outcome);
  }

  /** Nobody will bring the answers: the handler's waits fail with `reason`, so that its `finally` runs. */
  abort(reason: unknown): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (this.#id !== undefined) this.suspendedCalls.take(this.#id);
    this.activeRequest = undefined;
    if (!this.context.signal.aborted) this.context.abort(reason);
    for (const { reject } of waiting) reject(reason);
  }

  /** Who leaves while a request of his is open does not come back. */
  #setActiveRequest(carrier: ServerContext): void {
    this.activeRequest = carrier;
    carrier.extra?.watchDisconnect?.();
  }

  #settle(outcome: HandlerOutcome): void {
    const { activeRequest } = this;
    if ("result" in outcome && isInputRequired(outcome.result))
      outcome = { error: new TypeError("a handler that awaits answers cannot return inputRequired as well") };
    if (activeRequest && !activeRequest.done) activeRequest.connection.settleRequest(activeRequest, outcome);
    if (this.#waiting.size > 0) this.abort(new SdkError("REQUEST_CANCELLED", "the request has been answered"));
  }

  #isInactive(carrier: ServerContext): boolean {
    return carrier.done || this.activeRequest !== carrier;
  }

  #suspendSoon(): void {
    if (this.#isSuspending || !this.activeRequest) return;
    this.#isSuspending = true;
    // Whatever the handler asks before it runs out of work belongs to the same round.
    setTimeout(() => {
      this.#isSuspending = false;
      this.#suspend().catch((error: unknown) => this.#settle({ error }));
    }, 0);
  }

  async #suspend(): Promise<void> {
    const { activeRequest } = this;
    if (!activeRequest || this.#waiting.size === 0) return;
    if (activeRequest.done) {
      this.abort(new SdkError("REQUEST_CANCELLED", "the request has been answered"));
      return;
    }
    checkRoundLimit(++this.#rounds, activeRequest.connection.server);
    const id = crypto.randomUUID();
    const state = await sealState(activeRequest, { id, suspended: true });
    if (this.#isInactive(activeRequest)) return;
    this.suspendedCalls.add(id, this);
    this.#id = id;
    this.activeRequest = undefined;
    const requests = [...this.#waiting].map(([key, { request }]) => [key, request]);
    const result = inputRequiredResult(activeRequest, Object.fromEntries(requests) as InputRequests, state);
    activeRequest.connection.sendResult(activeRequest, result);
  }
}
