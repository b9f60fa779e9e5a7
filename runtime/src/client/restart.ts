import { callHook, faultTo, reportTo } from "../engine/author-hooks.js";
import { longestTimerMs } from "../engine/check-numbers.js";
import { SdkError } from "../engine/errors.js";
import type { ClientOptions, RestartOptions } from "./client-options.js";

/** Connects again to a server that went away, or that has dropped the session. */
export class Restart {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reopening: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  /** `onerror` is told of attempts that fail, `onclose` when there is no new session to be had. */
  constructor(readonly options: ClientOptions) {}

  /** Settled when there is a new session in place of one that was lost, or none to be had. */
  get reopening(): Promise<void> | undefined {
    return this.#reopening?.over;
  }

  /** The server wants a new session: that is no failure, and calls can wait for it. */
  reopen(connect: () => Promise<void>, options: RestartOptions | undefined): void {
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    this.#reopening ??= { over, end };
    this.begin(connect, { ...options, pauseMs: 0 });
  }

  begin(connect: () => Promise<void>, { attempts = 3, pauseMs = 500 }: RestartOptions): void {
    if (attempts <= 0) {
      const error = new SdkError("SESSION_LOST", "the server opens no new session");
      if (this.#reopening)
        callHook(
          () => this.options.onclose?.(error),
          (thrown) => faultTo(this.options, thrown),
        );
      return this.stop();
    }
    const timer = setTimeout(
      () => {
        connect().then(
          // It may be lost again by now.
          () => this.#timer === timer && this.stop(),
          (error: unknown) => {
            reportTo(this.options, error);
            // Unless it was stopped meanwhile.
            if (this.#timer === timer) this.begin(connect, { attempts: attempts - 1, pauseMs: 2 * pauseMs || 500 });
          },
        );
      },
      Math.min(pauseMs, longestTimerMs),
    );
    this.#timer = timer;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reopening?.end();
    this.#reopening = undefined;
  }
}
