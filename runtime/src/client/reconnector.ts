import { callHook, reportUserErrorTo, reportTo } from "../connection/error-reporting.js";
import { isSdkError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { type Deferred, deferred } from "../timing/deferred.js";
import { raceAbort } from "../timing/race-abort.js";
import { timerDelay } from "../timing/timer-delay.js";
import type { ClientOptions, RestartOptions } from "./client-options.js";

/** A session that is lost within this time after its attempt counts as a failed attempt. */
const soonMs = 5_000;

/** Reconnects to a server that has ended, or that has dropped the session. */
export class Reconnector {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reconnecting: Deferred | undefined;
  /** The options for the next attempt, if the current one fails. */
  #next: RestartOptions = {};
  /** When the last attempt began, by `performance.now()`. */
  #begunAt = -Infinity;

  /** Failed attempts are reported to `onerror`; `onclose` is called when the client gives up. */
  constructor(readonly options: ClientOptions) {}

  /** Resolves when a lost session has been replaced, or cannot be. */
  whenReconnected(signal: AbortSignal | undefined): Promise<void> | undefined {
    return this.#reconnecting && raceAbort(signal, this.#reconnecting.promise);
  }

  get isReconnecting(): boolean {
    return this.#timer !== undefined;
  }

  /** Called when the connection has ended. A lost session is not a failure of the server, and calls wait for a new one. */
  onConnectionEnd(error: Error | undefined, connect: () => Promise<void>): void {
    const { restart } = this.options;
    if (isSdkError(error, "SESSION_LOST")) {
      reportTo(this.options, error);
      this.#reconnecting ??= deferred();
      // A session that is lost so soon counts as a failed attempt.
      const isNew = performance.now() - this.#begunAt < soonMs;
      return this.#schedule(connect, isNew ? this.#next : { ...restart, pauseMs: 0 });
    }
    this.#notifyClose(error);
    if (error && restart) this.#schedule(connect, restart);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reconnecting?.resolve();
    this.#reconnecting = undefined;
  }

  #schedule(connect: () => Promise<void>, { attempts = 3, pauseMs = 500 }: RestartOptions): void {
    if (attempts <= 0) {
      if (this.#reconnecting) this.#notifyClose(new SdkError("SESSION_LOST", "the server did not open a new session"));
      return this.stop();
    }
    this.#next = { attempts: attempts - 1, pauseMs: 2 * pauseMs || 500 };
    const timer = setTimeout(() => {
      this.#begunAt = performance.now();
      connect().then(
        // The session may be lost again already.
        () => this.#timer === timer && this.stop(),
        (error: unknown) => {
          reportTo(this.options, error);
          // Unless `stop` was called in the meantime.
          if (this.#timer === timer) this.#schedule(connect, this.#next);
        },
      );
    }, timerDelay(pauseMs));
    this.#timer = timer;
  }

  #notifyClose(error: Error | undefined): void {
    callHook(
      () => this.options.onclose?.(error),
      (thrown) => reportUserErrorTo(this.options, thrown),
    );
  }
}
