import type { Progress } from "@mcpwright/protocol/contract";
import { RateLimit } from "./rate-limit.js";

/**
 * Sends the progress of one request only when it increases (MCP, progress), and limits its rate: after a burst of 20
 * notifications, 50 a second. Of the notifications in between, the newest is kept and sent before the response.
 */
export class ProgressThrottle {
  #last = -Infinity;
  readonly #rate = new RateLimit(20, 50);
  #pending: Progress | undefined;

  constructor(readonly send: (progress: Progress) => void) {}

  report(progress: Progress): void {
    if (!(progress.progress > this.#last)) return;
    this.#last = progress.progress;
    this.#pending = progress;
    if (this.#rate.take()) this.flush();
  }

  /** Sends the progress that was held back, if any. */
  flush(): void {
    const latest = this.#pending;
    this.#pending = undefined;
    if (latest) this.send(latest);
  }
}
