import { callHook, faultTo, reportTo } from "../engine/author-hooks.js";
import { SdkError } from "../engine/errors.js";
import { type Latch, latch } from "../engine/latch.js";
import { isSdkError } from "../engine/messages.js";
import { timerMs } from "../engine/timer-ms.js";
import { unlessAborted } from "../engine/unless-aborted.js";
import type { ClientOptions, RestartOptions } from "./client-options.js";

/** Within what time of its attempt a session is lost that is of no use. */
const soonMs = 5_000;

/** Connects again to a server that went away, or that has dropped the session. */
export class Restart {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reopening: Latch | undefined;
  /** What comes after the attempt under way, if that fails. */
  #next: RestartOptions = {};
  /** When the last attempt began, of `performance.now()`. */
  #begunAt = -Infinity;

  /** `onerror` is told of attempts that fail, `onclose` of the end where it is one. */
  constructor(readonly options: ClientOptions) {}

  /** Settled when there is a new session in place of one that was lost, or none to be had. */
  reopened(signal: AbortSignal | undefined): Promise<void> | undefined {
    return this.#reopening && unlessAborted(signal, this.#reopening.opened);
  }

  get isUnderWay(): boolean {
    return this.#timer !== undefined;
  }

  /** The connection has ended. A server that wants a new session has not failed, and calls can wait for it. */
  ended(error: Error | undefined, connect: () => Promise<void>): void {
    const { restart } = this.options;
    if (isSdkError(error, "SESSION_LOST")) {
      reportTo(this.options, error);
      this.#reopening ??= latch();
      // One that is lost so soon counts as not opened.
      const isNew = performance.now() - this.#begunAt < soonMs;
      return this.#begin(connect, isNew ? this.#next : { ...restart, pauseMs: 0 });
    }
    this.#tellOfEnd(error);
    if (error && restart) this.#begin(connect, restart);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reopening?.open();
    this.#reopening = undefined;
  }

  #begin(connect: () => Promise<void>, { attempts = 3, pauseMs = 500 }: RestartOptions): void {
    if (attempts <= 0) {
      if (this.#reopening) this.#tellOfEnd(new SdkError("SESSION_LOST", "the server opens no new session"));
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
          if (this.#timer === timer) this.#begin(connect, this.#next);
        },
      );
    }, timerMs(pauseMs));
    this.#timer = timer;
  }

  #tellOfEnd(error: Error | undefined): void {
    callHook(
      () => this.options.onclose?.(error),
      (thrown) => faultTo(this.options, thrown),
    );
  }
}
