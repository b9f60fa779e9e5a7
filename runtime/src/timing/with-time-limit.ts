import { type SwapRemoveItem, SwapRemoveSet } from "../collections/swap-remove-set.js";
import { deadlineTimer } from "./deadline-timer.js";

/** A promise that waits for its work. */
interface Wait extends SwapRemoveItem {
  /** When it is too late, in milliseconds of `performance.now()`. */
  readonly due: number;
  onLate(): void;
}

const waits = /* @__PURE__ */ new SwapRemoveSet<Wait>();

/** All waits share a timer: some requests wait several times. */
const deadline = {
  expireDue(now: number): number {
    let next = Infinity;
    for (const wait of waits)
      if (wait.due > now) next = Math.min(next, wait.due);
      else wait.onLate();
    return next;
  },
};

/**
 * Waits for `work`, but not longer than some milliseconds. The timer keeps no process alive.
 * @param late makes the error to reject with afterwards; it may also end the work
 */
export function withTimeLimit<Value>(work: PromiseLike<Value>, ms: number, late: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const wait: Wait = {
      setIndex: undefined,
      due: performance.now() + ms,
      onLate() {
        waits.delete(wait);
        reject(late());
      },
    };
    waits.add(wait);
    deadlineTimer.schedule(deadline, wait.due);
    const ended = (): void => waits.delete(wait);
    work.then(ended, ended);
    work.then(resolve, reject);
  });
}
