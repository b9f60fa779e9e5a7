import { callHook, faultTo, reportTo } from "../engine/author-hooks.js";
import { SdkError } from "../engine/errors.js";
import { type Latch, latch } from "../engine/latch.js";
import { isSdkError } from "../engine/messages.js";
import { timerMs } from "../engine/timer-ms.js";
import { unlessAborted } from "../engine/unless-aborted.js";
import type { ClientOptions, RestartOptions } from "./client-options.js";

/** Connects again to a server that went away, or that has dropped the session. */
export class Restart {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reopening: Latch | undefined;
  /** What comes after the attempt under way, if that fails. */
  #next: RestartOptions = {};

  /** `onerror` is told of attempts that fail, `onclose` of the end where it is one. */
  constructor(readonly options: ClientOptions) {}

  /** Settled when there is a new session in place of one that was lost, or none to be had. */
  reopened(signal: AbortSignal | undefined): Promise<void> | undefined {
    return this.#reopening && unlessAborted(signal, this.#reopening.opened);
  }

  /** Whether it is being connected to again, now or soon. */
  get isUnderWay(): boolean {
    return this.#timer !== undefined;
  }

  /** The connection has ended. A server that wants a new session has not failed, and calls can wait for it. */
  ended(error: Error | undefined, connect: () => Promise<void>): void {
    const { restart } = this.options;
    if (isSdkError(error, "SESSION_LOST")) {
      reportTo(this.options, error);
      // One that is lost before all is wanted again has not been opened.
      if (this.#reopening) return this.#begin(connect, this.#next);
      this.#reopening = latch();
      return this.#begin(connect, { ...restart, pauseMs: 0 });
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
