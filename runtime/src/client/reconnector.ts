import { callHook, reportUserErrorTo, reportTo } from "../connection/error-reporting.js";
import { isSdkError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { type Deferred, deferred } from "../timing/deferred.js";
import { raceAbort } from "../timing/race-abort.js";
import { timerDelay } from "../timing/timer-delay.js";
import type { ClientOptions, RestartOptions } from "./client-options.js";

/** Within what time of its attempt a session is lost that is of no use. */
const soonMs = 5_000;

/** Connects again to a server that went away, or that has dropped the session. */
export class Reconnector {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reconnecting: Deferred | undefined;
  /** What comes after the attempt under way, if that fails. */
  #next: RestartOptions = {};
  /** When the last attempt began, of `performance.now()`. */
  #begunAt = -Infinity;

  /** `onerror` is told of attempts that fail, `onclose` of the end where it is one. */
  constructor(readonly options: ClientOptions) {}

  /** Settled when there is a new session in place of one that was lost, or none to be had. */
  whenReconnected(signal: AbortSignal | undefined): Promise<void> | undefined {
    return this.#reconnecting && raceAbort(signal, this.#reconnecting.promise);
  }

  get isReconnecting(): boolean {
    return this.#timer !== undefined;
  }

  /** The connection has ended. A server that wants a new session has not failed, and calls can wait for it. */
  onConnectionEnd(error: Error | undefined, connect: () => Promise<void>): void {
    const { restart } = this.options;
    if (isSdkError(error, "SESSION_LOST")) {
      reportTo(this.options, error);
      this.#reconnecting ??= deferred();
      // One that is lost so soon counts as not opened.
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
      if (this.#reconnecting) this.#notifyClose(new SdkError("SESSION_LOST", "the server opens no new session"));
      return this.stop();
    }
    this.#next = { attempts: attempts - 1, pauseMs: 2 * pauseMs || 500 };
    const timer = setTimeout(() => {
      this.#begunAt = performance.now();
      connect().then(
        // It may be lost again by now.
        () => this.#timer === timer && this.stop(),
        (error: unknown) => {
          reportTo(this.options, error);
          // Unless it was stopped meanwhile.
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
