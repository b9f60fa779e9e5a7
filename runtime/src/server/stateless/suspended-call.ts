import type { InputRequests } from "../../authoring.js";
import type { HandlerOutcome } from "../../connection/request-context.js";
import { checkInputRequest, type InputRequest } from "../../input-requests/check-input-request.js";
import { isInputRequired } from "../../input-requests/input-required.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { ownMember } from "../../jsonrpc/guards.js";
import type { ServerContext, SuspendedCall, SuspendedCallStore } from "../contracts.js";
import { checkRoundLimit } from "../round-limit.js";
import { checkInputResponse, inputRequiredResult } from "./input-requests.js";
import { sealState } from "./request-state.js";

interface WaitingInputRequest {
  readonly request: InputRequest;
  readonly resolve: (response: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Whether the client has already sent a response, which was invalid. */
  retried: boolean;
}

/** A handler that waits for responses in the stateless era: each arrives with a later request, which resumes it. */
export class SuspendedHandler implements SuspendedCall {
  /** The request that is open now; undefined until the client's next request. */
  activeRequest: ServerContext | undefined;
  readonly #waiting = new Map<string, WaitingInputRequest>();
  #outcome: HandlerOutcome | undefined;
  #rounds = 0;
  #isSuspending = false;
  #id: string | undefined;

  constructor(
    readonly context: ServerContext,
    readonly suspendedCalls: SuspendedCallStore,
  ) {
    this.#setActiveRequest(context);
  }

  requestInput(key: string, request: InputRequest): Promise<unknown> {
    const { client } = this.activeRequest ?? this.context;
    checkInputRequest(client.side, client.capabilities, request);
    if (this.#waiting.has(key))
      throw new SdkError(
        "CANNOT_ASK",
        `the input request "${key}" is already waiting for a response; use a unique key for each`,
      );
    return new Promise((resolve, reject) => {
      this.#waiting.set(key, { request, resolve, reject, retried: false });
      this.#suspendSoon();
    });
  }

  /** Called with the client's next request and its responses. */
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

  /** Called when the handler has ended; without an open request, the outcome waits for the next one. */
  onOutcome(outcome: HandlerOutcome): void {
    this.#outcome = outcome;
    if (this.activeRequest) this.#settle(outcome);
  }

  /** Rejects the handler's waits with `reason`, so that its `finally` runs: no responses will arrive. */
  abort(reason: unknown): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (this.#id !== undefined) this.suspendedCalls.take(this.#id);
    this.activeRequest = undefined;
    if (!this.context.signal.aborted) this.context.abort(reason);
    for (const { reject } of waiting) reject(reason);
  }

  /** Sets the open request. A client that disconnects during it does not continue the call, so the handler is aborted. */
  #setActiveRequest(carrier: ServerContext): void {
    this.activeRequest = carrier;
    carrier.extra?.watchDisconnect?.();
  }

  #settle(outcome: HandlerOutcome): void {
    const { activeRequest } = this;
    if ("result" in outcome && isInputRequired(outcome.result))
      outcome = { error: new TypeError("a handler that waits for input cannot also return inputRequired") };
    if (activeRequest && !activeRequest.done) activeRequest.connection.settleRequest(activeRequest, outcome);
    if (this.#waiting.size > 0) this.abort(new SdkError("REQUEST_CANCELLED", "the request has been answered"));
  }

  #isInactive(carrier: ServerContext): boolean {
    return carrier.done || this.activeRequest !== carrier;
  }

  #suspendSoon(): void {
    if (this.#isSuspending || !this.activeRequest) return;
    this.#isSuspending = true;
    // All input requests that the handler sends before the next timer phase belong to the same round.
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
