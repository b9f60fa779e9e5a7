import { timerDelay, unref } from "./timer-delay.js";

/**
 * Waits for `work`, but not longer than some milliseconds. The timer keeps no process alive.
 * @param late makes the error to reject with afterwards; it may also end the work
 */
export function withTimeLimit<Value>(work: PromiseLike<Value>, ms: number, late: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = unref(setTimeout(() => reject(late()), timerDelay(ms)));
    const ended = (): void => clearTimeout(timer);
    work.then(resolve, reject);
    work.then(ended, ended);
  });
}
