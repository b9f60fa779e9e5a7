import { type TimeLimited, timeLimits } from "./time-limits.js";

/**
 * Waits for `work`, but not longer than some milliseconds. The timer keeps no process alive.
 * @param late makes the error to reject with afterwards; it may also end the work
 */
export function withTimeLimit<Value>(work: PromiseLike<Value>, ms: number, late: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const wait: TimeLimited = { setIndex: undefined, due: performance.now() + ms, onLate: () => reject(late()) };
    const ended = (): void => timeLimits.delete(wait);
    timeLimits.add(wait);
    work.then(ended, ended);
    work.then(resolve, reject);
  });
}
