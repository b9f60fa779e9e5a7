import { checkQuestion, type Question } from "../ask/check.js";
import { isInputRequired } from "../ask/question.js";
import type { InputRequests } from "../authoring.js";
import type { Outcome } from "../engine/call.js";
import { ErrorCode, ProtocolError, SdkError } from "../engine/errors.js";
import { ownMember } from "../engine/json-rpc.js";
import { closedError } from "../engine/messages.js";
import { sweeper, type Watched } from "../engine/sweeper.js";
import { checkRound } from "../handshake/questions.js";
import type { ServerConnection } from "../server/connection.js";
import type { ServerContext } from "../server/context.js";
import { requiredResult, takeAnswer } from "./questions.js";
import { sealState } from "./state.js";

export interface ParkingOptions {
  /** Handlers that may wait at once; one more fails. Default 1,000. */
  readonly max?: number;
  /** Milliseconds that a handler waits for the client to come back. Default 900,000. */
  readonly ttlMs?: number;
}

/** The handlers of this process that wait for a client to come back with answers. */
export class Parking implements Watched {
  readonly #runs = new Map<string, { readonly run: ParkedRun; readonly due: number }>();

  constructor(readonly options: ParkingOptions = {}) {}

  /** @throws ProtocolError -32603 when too many wait already */
  put(id: string, run: ParkedRun): void {
    const { max = 1_000, ttlMs = 900_000 } = this.options;
    if (this.#runs.size >= max) throw new ProtocolError(ErrorCode.InternalError, "Too many requests wait for input");
    const due = performance.now() + ttlMs;
    this.#runs.set(id, { run, due });
    sweeper.watch(this, due);
  }

  /** Gives a waiting handler to the first who asks for it. */
  take(id: string): ParkedRun | undefined {
    const entry = this.#runs.get(id);
    this.#runs.delete(id);
    return entry?.run;
  }

  sweep(now: number): number {
    for (const [id, { run, due }] of this.#runs) {
      if (due > now) return due;
      this.#runs.delete(id);
      run.abort(new SdkError("REQUEST_TIMEOUT", "the client did not come back with its answers in time"));
    }
    return Infinity;
  }

  /** Ends the waits of a connection that is gone, and with it the only one who could bring answers. */
  clear(connection: ServerConnection, cause: Error | undefined): void {
    for (const { run } of this.#runs.values()) if (run.context.connection === connection) run.abort(closedError(cause));
  }
}

interface Waiting {
  readonly question: Question;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** The client has answered it once, with something that could not be used. */
  retried: boolean;
}

/** A handler that awaits answers in the stateless era: each comes with a later request, which carries it on. */
export class ParkedRun {
  /** The request that is open now; undefined while the client is away. */
  carrier: ServerContext | undefined;
  readonly #waiting = new Map<string, Waiting>();
  #outcome: Outcome | undefined;
  #rounds = 0;
  #closing = false;
  #id: string | undefined;

  constructor(
    readonly context: ServerContext,
    readonly parking: Parking,
  ) {
    this.#carriedBy(context);
  }

  ask(key: string, question: Question): Promise<unknown> {
    const { client } = this.carrier ?? this.context;
    checkQuestion(client.side, client.capabilities, question);
    if (this.#waiting.has(key))
      throw new SdkError("CANNOT_ASK", `"${key}" is being asked already; give each question its own key`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(key, { question, resolve, reject, retried: false });
      this.#closeSoon();
    });
  }

  /** The client is back. */
  resume(carrier: ServerContext, responses: Readonly<Record<string, unknown>>): void {
    if (carrier.done) return this.abort(carrier.signal.reason);
    carrier.carries = this;
    this.#carriedBy(carrier);
    this.#id = undefined;
    try {
      for (const [key, waiting] of this.#waiting) {
        const answer = ownMember(responses, key);
        if (answer === undefined) continue;
        const taken = takeAnswer(carrier, key, waiting.question, answer, waiting.retried);
        waiting.retried = true;
        if (!taken) continue;
        this.#waiting.delete(key);
        waiting.resolve(taken);
      }
    } catch (error) {
      return this.#give({ error });
    }
    if (this.#outcome) this.#give(this.#outcome);
    else this.#closeSoon();
  }

  /** The handler has ended; if the client is away, the outcome waits for it. */
  finished(outcome: Outcome): void {
    this.#outcome = outcome;
    if (this.carrier) this.#give(outcome);
  }

  /** Nobody will bring the answers: the handler's waits fail with `reason`, so that its `finally` runs. */
  abort(reason: unknown): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (this.#id !== undefined) this.parking.take(this.#id);
    this.carrier = undefined;
    if (!this.context.signal.aborted) this.context.abort(reason);
    for (const { reject } of waiting) reject(reason);
  }

  /** Who leaves while a request of his is open does not come back. */
  #carriedBy(carrier: ServerContext): void {
    this.carrier = carrier;
    carrier.extra?.observe?.();
  }

  #give(outcome: Outcome): void {
    const { carrier } = this;
    if ("result" in outcome && isInputRequired(outcome.result))
      outcome = { error: new TypeError("a handler that awaits answers cannot return inputRequired as well") };
    if (carrier && !carrier.done) carrier.connection.settle(carrier, outcome);
    if (this.#waiting.size > 0) this.abort(new SdkError("REQUEST_CANCELLED", "the request has been answered"));
  }

  #isGone(carrier: ServerContext): boolean {
    return carrier.done || this.carrier !== carrier;
  }

  #closeSoon(): void {
    if (this.#closing || !this.carrier) return;
    this.#closing = true;
    // Whatever the handler asks before it runs out of work belongs to the same round.
    setTimeout(() => {
      this.#closing = false;
      this.#close().catch((error: unknown) => this.#give({ error }));
    }, 0);
  }

  async #close(): Promise<void> {
    const { carrier } = this;
    if (!carrier || this.#waiting.size === 0) return;
    if (carrier.done) {
      this.abort(new SdkError("REQUEST_CANCELLED", "the request has been answered"));
      return;
    }
    checkRound(++this.#rounds, carrier.connection.server);
    const id = crypto.randomUUID();
    const state = await sealState(carrier, { id, parked: true });
    if (this.#isGone(carrier)) return;
    this.parking.put(id, this);
    this.#id = id;
    this.carrier = undefined;
    const questions = [...this.#waiting].map(([key, { question }]) => [key, question]);
    const result = requiredResult(carrier, Object.fromEntries(questions) as InputRequests, state);
    carrier.connection.answer(carrier, result);
  }
}
