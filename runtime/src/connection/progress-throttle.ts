import type { Progress } from "@mcpwright/protocol/contract";

const burst = 20;
const perSecond = 50;

/**
 * Sends the progress of one request only when it increases (MCP, progress), and limits its rate: after a burst of 20
 * notifications, 50 a second. Of the notifications in between, the newest is kept and sent before the response.
 */
export class ProgressThrottle {
  #last = -Infinity;
  #tokens = burst;
  #refilled = performance.now();
  #pending: Progress | undefined;

  constructor(readonly send: (progress: Progress) => void) {}

  report(progress: Progress): void {
    if (!(progress.progress > this.#last)) return;
    this.#last = progress.progress;
    const now = performance.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#refilled) / 1_000) * perSecond);
    this.#refilled = now;
    this.#pending = progress;
    if (this.#tokens < 1) return;
    this.#tokens--;
    this.flush();
  }

  /** Sends the progress that was held back, if any. */
  flush(): void {
    const latest = this.#pending;
    this.#pending = undefined;
    if (latest) this.send(latest);
  }
}
