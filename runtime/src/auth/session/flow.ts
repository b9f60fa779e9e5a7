import { deferred } from "../../timing/deferred.js";
import { markHandled } from "../../timing/mark-handled.js";
import { raceAbort } from "../../timing/race-abort.js";
import { timerDelay } from "../../timing/timer-delay.js";
import { AuthorizationError } from "../auth-errors.js";

/** Why tokens are requested: they expire, the MCP server rejected them, or they lack scopes. */
export type FlowKind = "renewal" | "authorization" | "step-up";

/** One attempt to get tokens, which all requests to the MCP server wait for. */
export class Flow {
  readonly #controller = new AbortController();
  readonly #accepted = deferred();
  #done: Promise<void> = Promise.resolve();
  #settled: Promise<unknown> = Promise.resolve();

  /** @param scopes the missing scopes that a step-up is for */
  constructor(
    readonly kind: FlowKind,
    readonly scopes: readonly string[] = [],
  ) {}

  /** Aborted when the flow has taken too long, or is no longer needed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles with the outcome, which may precede the end of the work. */
  get done(): Promise<void> {
    return this.#done;
  }

  /** Resolves when the work has ended. */
  get settled(): Promise<unknown> {
    return this.#settled;
  }

  /** @param ended called with the outcome */
  start(work: () => Promise<void>, ended: () => void): void {
    const result = work();
    this.#settled = result.catch(() => undefined);
    this.#done = markHandled(Promise.race([raceAbort(this.signal, result), this.#accepted.promise]).finally(ended));
  }

  /** Runs work that includes a log-in, within its time limit. @throws the abort reason of the flow */
  async limited<Value>(work: () => Promise<Value>, limitMs = 300_000): Promise<Value> {
    const late = new AuthorizationError(
      "abandoned",
      `the log-in was not finished within ${limitMs / 1_000} s; start it again`,
    );
    const timer = setTimeout(() => this.abort(late), timerDelay(limitMs));
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the flow with an error. */
  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** Ends the flow successfully: tokens have arrived elsewhere. */
  accept(): void {
    this.#accepted.resolve();
    this.abort(new AuthorizationError("abandoned", "the log-in was finished elsewhere"));
  }
}
