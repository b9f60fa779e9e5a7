import type { InputRequests } from "../../authoring.js";
import type { HandlerOutcome } from "../../connection/request-context.js";
import { checkInputRequest, type InputRequest } from "../../input-requests/check-input-request.js";
import { isInputRequired, requireInput } from "../../input-requests/input-required.js";
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
  /** Set while the handler waits for the client's next request. */
  #id: string | undefined;

  constructor(
    readonly context: ServerContext,
    readonly suspendedCalls: SuspendedCallStore,
  ) {
    this.#setActiveRequest(context);
  }

  requestInput(key: string, request: InputRequest): Promise<unknown> {
    const { client } = this.activeRequest ?? this.context;
    this.context.signal.throwIfAborted();
    checkInputRequest(client.side, client.capabilities, request);
    if (this.#waiting.has(key))
      throw new SdkError(
        "CANNOT_ASK",
        `the input request "${key}" is already waiting for a response; use a unique key for each`,
      );
    const wait = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        this.#waiting.set(key, { request, resolve, reject, retried: false });
        this.#suspendSoon();
      });
    const { connection, requestId } = this.activeRequest ?? this.context;
    return connection.telemetry?.awaitInput(request, requestId, wait) ?? wait();
  }

  claim(carrier: ServerContext): void {
    this.#id = undefined;
    carrier.resumes = this;
  }

  resume(carrier: ServerContext): Promise<unknown> {
    if (this.activeRequest === carrier) throw new TypeError("middleware called next() twice to resume a handler");
    return new Promise((resolve, reject) => {
      carrier.reply = { resolve, reject };
      this.#setActiveRequest(carrier);
      if (carrier.done) return this.abort(carrier.signal.reason);
      this.#isSuspending = false;
      const responses = carrier.params?.["inputResponses"] as Readonly<Record<string, unknown>> | undefined;
      for (const [key, waiting] of this.#waiting) {
        const response = ownMember(responses, key);
        if (response === undefined) continue;
        const accepted = checkInputResponse(carrier, key, waiting.request, response, waiting.retried);
        waiting.retried = true;
        if (!accepted) continue;
        this.#waiting.delete(key);
        waiting.resolve(accepted);
      }
      if (this.#outcome) this.onOutcome(this.#outcome);
      else this.#suspendSoon();
    });
  }

  onOutcome(outcome: HandlerOutcome): void {
    if ("result" in outcome && isInputRequired(outcome.result))
      outcome = { error: new TypeError("a handler that waits for input cannot also return inputRequired") };
    this.#outcome = outcome;
    this.#reply(outcome);
  }

  onAnswered(carrier: ServerContext): void {
    if (this.#id !== undefined || this.#outcome) return;
    if (carrier !== this.context || this.#waiting.size > 0)
      this.abort(new SdkError("REQUEST_CANCELLED", "the request has been answered"));
  }

  abort(reason: unknown): void {
    const { activeRequest } = this;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (this.#id !== undefined) this.suspendedCalls.take(this.#id);
    this.activeRequest = undefined;
    if (!this.context.signal.aborted) this.context.abort(reason);
    for (const { reject } of waiting) reject(reason);
    // The response is not sent, but middleware waits for it.
    activeRequest?.reply?.reject(reason);
  }

  async park(carrier: ServerContext, inputRequests: InputRequests | undefined): Promise<object> {
    const id = crypto.randomUUID();
    const state = await sealState(carrier, { id, suspended: true, node: carrier.connection.server.node?.id });
    this.context.signal.throwIfAborted();
    this.suspendedCalls.add(id, this);
    this.#id = id;
    this.activeRequest = undefined;
    return inputRequiredResult(carrier, inputRequests, state);
  }

  isAsking(carrier: ServerContext): boolean {
    return this.#isSuspending && this.activeRequest === carrier;
  }

  /** Sets the open request. A client that disconnects during it does not continue the call, so the handler is aborted. */
  #setActiveRequest(carrier: ServerContext): void {
    this.activeRequest = carrier;
    carrier.extra?.watchDisconnect?.();
  }

  #reply(outcome: HandlerOutcome): void {
    if (this.activeRequest) reply(this.activeRequest, outcome);
  }

  #suspendSoon(): void {
    if (this.#isSuspending || !this.activeRequest || this.#waiting.size === 0) return;
    this.#isSuspending = true;
    // All input requests that the handler sends before the next timer phase belong to the same round.
    setTimeout(() => this.#suspend(), 0);
  }

  #suspend(): void {
    const { activeRequest } = this;
    // The handler may have ended in the meantime.
    if (!activeRequest || activeRequest.done || this.#waiting.size === 0) {
      this.#isSuspending = false;
      return;
    }
    try {
      checkRoundLimit(++this.#rounds, activeRequest.connection.server);
      const requests = [...this.#waiting].map(([key, { request }]) => [key, request]);
      this.#reply({ result: requireInput({ inputRequests: Object.fromEntries(requests) as InputRequests }) });
    } catch (error) {
      this.#reply({ error });
    }
  }
}

/** Passes an outcome to the middleware of a request; without middleware, responds with it. */
export function reply(request: ServerContext, outcome: HandlerOutcome): void {
  const { reply, connection, done } = request;
  if (!reply) {
    if (!done) connection.settleRequest(request, outcome);
  } else if ("error" in outcome) reply.reject(outcome.error);
  else reply.resolve(outcome.result);
}
