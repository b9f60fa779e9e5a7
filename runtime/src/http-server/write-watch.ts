import { deadlineTimer, type HasDeadlines } from "../timing/deadline-timer.js";

/** A response that is being written. */
export interface WatchedResponse {
  /** A number that changes with every part that the client takes; undefined when nothing waits for the client. */
  readonly progress: number | undefined;
  /** Closes the connection. */
  cut(): void;
}

/** The state of a response when the client last took a part of it. */
interface LastProgress {
  readonly progress: number;
  readonly at: number;
}

/** Cuts responses of which the client has taken nothing for `timeoutMs`. */
export class WriteWatch implements HasDeadlines {
  readonly #waiting = new Map<WatchedResponse, LastProgress>();
  readonly #timeoutMs: number;

  /** @param timeoutMs 0: never */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs || Infinity;
  }

  /**
   * Watches a response for as long as a part of it waits for the client. Call it after each write that may have to wait.
   * @returns whether the response was not watched before; then call `forget` when its connection closes
   */
  watch(response: WatchedResponse): boolean {
    const { progress } = response;
    if (progress === undefined || this.#waiting.has(response) || this.#timeoutMs === Infinity) return false;
    const now = performance.now();
    this.#waiting.set(response, { progress, at: now });
    if (this.#waiting.size === 1) deadlineTimer.schedule(this, now + this.#timeoutMs / 4);
    return true;
  }

  /** Releases a response whose connection has closed: it holds what the client has not read. */
  forget(response: WatchedResponse): void {
    this.#waiting.delete(response);
  }

  expireDue(now: number): number {
    for (const [response, last] of this.#waiting) {
      const { progress } = response;
      if (progress === undefined) this.#waiting.delete(response);
      else if (progress !== last.progress) this.#waiting.set(response, { progress, at: now });
      else if (last.at + this.#timeoutMs <= now) {
        this.#waiting.delete(response);
        response.cut();
      }
    }
    return this.#waiting.size === 0 ? Infinity : now + this.#timeoutMs / 4;
  }
}
