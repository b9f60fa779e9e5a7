import type { Progress } from "@mcpwright/protocol/contract";

const burst = 20;
const perSecond = 50;

/**
 * Keeps the progress of one request legal (MCP, progress): it only grows. It is also rate-limited: after a burst of 20,
 * 50 a second pass; of those in between the newest is kept and sent before the answer.
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

  /** Sends what was held back. */
  flush(): void {
    const latest = this.#pending;
    this.#pending = undefined;
    if (latest) this.send(latest);
  }
}
