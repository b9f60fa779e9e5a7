import type { CallOptions } from "../connection/call-options.js";
import { callHook, reportUserErrorTo, reportTo } from "../connection/error-reporting.js";
import { isSdkError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { type Deferred, deferred } from "../timing/deferred.js";
import { raceAbort } from "../timing/race-abort.js";
import { timerDelay } from "../timing/timer-delay.js";
import type { ClientOptions, RestartOptions } from "./client-options.js";

/** A connection that is lost within this time after its attempt counts as a failed attempt. */
const soonMs = 5_000;

/** Reconnects to a server that has ended, or that has dropped the session. */
export class Reconnector {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reconnecting: Deferred | undefined;
  /** The options for the next attempt, if the current one fails. */
  #next: RestartOptions = {};
  /** When the last attempt began, by `performance.now()`. */
  #begunAt = -Infinity;
  /** Whether the server has dropped the session, and has not ended. */
  #isLost = false;
  #gaveUp = false;

  /** Failed attempts are reported to `onerror`; `onclose` is called when the client gives up. */
  constructor(readonly options: ClientOptions) {}

  /**
   * Resolves when a lost session or an ended server has been replaced, or cannot be; undefined when neither is awaited.
   * @throws SdkError `REQUEST_TIMEOUT`, when that takes longer than the server has for a request
   */
  whenReconnected(call: CallOptions | undefined): Promise<void> | undefined {
    return this.#reconnecting && this.#wait(this.#reconnecting.promise, call);
  }

  /** Waits as `whenReconnected` does, and returns what the client has then. */
  async next<Found>(signal: AbortSignal | undefined, find: () => Found): Promise<Found> {
    await this.whenReconnected(signal && { signal });
    return find();
  }

  async #wait(reconnected: Promise<void>, call: CallOptions = {}): Promise<void> {
    const { signal, timeoutMs = this.options.timeoutMs ?? 60_000 } = call;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const error = new SdkError("REQUEST_TIMEOUT", `the server was not back within ${timeoutMs} ms`, { timeoutMs });
      timer = setTimeout(reject, timerDelay(timeoutMs), error);
    });
    try {
      await raceAbort(signal, Promise.race([reconnected, late]));
    } finally {
      clearTimeout(timer);
    }
  }

  get isReconnecting(): boolean {
    return this.#timer !== undefined;
  }

  /** The error of a call when there is no connection. */
  get notConnectedError(): SdkError {
    const message = this.isReconnecting
      ? "the server is being restarted; call again later"
      : this.#gaveUp
        ? "the client gave up restarting the server; call connect() to try again"
        : "this client is not connected; call connect() first";
    return new SdkError("NOT_CONNECTED", message);
  }

  /** Called when the connection has ended. Calls wait for a new session, and for a server that is restarted. */
  onConnectionEnd(error: Error | undefined, connect: () => Promise<void>): void {
    const { restart } = this.options;
    const isLost = isSdkError(error, "SESSION_LOST");
    this.#isLost = isLost;
    if (isLost) reportTo(this.options, error);
    const begins = isLost || (error && restart);
    // Set before `onclose`, which may call the client.
    if (begins) this.#reconnecting ??= deferred();
    if (!isLost) this.#notifyClose(error);
    // The hook may have closed the client.
    if (!begins || !this.#reconnecting) return;
    // A connection that is lost so soon counts as a failed attempt.
    const isNew = performance.now() - this.#begunAt < soonMs;
    // A lost session is not a failure of the server.
    this.#schedule(connect, isNew ? this.#next : isLost ? { ...restart, pauseMs: 0 } : restart);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gaveUp = false;
    this.#reconnecting?.resolve();
    this.#reconnecting = undefined;
  }

  #schedule(connect: () => Promise<void>, { attempts = 3, pauseMs = 500 }: RestartOptions = {}): void {
    if (attempts <= 0) return this.#giveUp();
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

  #giveUp(): void {
    const error = this.#isLost
      ? new SdkError("SESSION_LOST", "the server did not open a new session")
      : new SdkError("CONNECTION_CLOSED", "the client gave up restarting the server");
    this.stop();
    this.#gaveUp = true;
    this.#begunAt = -Infinity;
    // The end of a server that exited has been notified already.
    if (this.#isLost) this.#notifyClose(error);
    this.#callHook(() => this.options.restart?.onGiveUp?.(error));
  }

  #notifyClose(error: Error | undefined): void {
    this.#callHook(() => this.options.onclose?.(error));
  }

  #callHook(hook: () => unknown): void {
    callHook(hook, (thrown) => reportUserErrorTo(this.options, thrown));
  }
}
