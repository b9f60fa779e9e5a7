import type { StandingStream } from "../../http-server/kept-alive-stream.js";
import { deadlineTimer, type HasDeadlines } from "../../timing/deadline-timer.js";

/** How soon a stream that could not end is looked at again, in milliseconds: one that replays events ends afterwards. */
const retryMs = 1_000;

/** Streams that end when the authentication of their client expires. */
export class ExpiringStreams implements HasDeadlines {
  readonly #expiries = new Map<StandingStream, number>();

  /** @param expiresAt the `Date.now()` at which a stream ends. Default: never */
  set(stream: StandingStream, expiresAt = Infinity): void {
    if (expiresAt === Infinity) return this.delete(stream);
    this.#expiries.set(stream, expiresAt);
    deadlineTimer.schedule(this, performance.now() + leftUntil(expiresAt));
  }

  delete(stream: StandingStream): void {
    this.#expiries.delete(stream);
  }

  expireDue(now: number): number {
    let next = Infinity;
    for (const [stream, expiresAt] of this.#expiries) {
      const left = leftUntil(expiresAt);
      if (left === 0) stream.expire();
      if (this.#expiries.has(stream)) next = Math.min(next, now + (left || retryMs));
    }
    return next;
  }
}

/** Milliseconds until a time; 0 for a past one, and for one that is not a number. */
function leftUntil(time: number): number {
  const left = time - Date.now();
  return left > 0 ? left : 0;
}
