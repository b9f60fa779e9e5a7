import { type SwapRemoveItem, SwapRemoveSet } from "../collections/swap-remove-set.js";
import { deadlineTimer } from "./deadline-timer.js";

/** Something that must end in time. */
export interface TimeLimited extends SwapRemoveItem {
  /** When it is too late, in milliseconds of `performance.now()`. */
  readonly due: number;
  /** Called when it is too late; it has been deleted from `timeLimits` then. */
  onLate(): void;
}

/** All that must end in time, with one timer: a timer per request would cost as much as reading its body. */
class TimeLimits {
  readonly #unfinished = new SwapRemoveSet<TimeLimited>();

  add(item: TimeLimited): void {
    this.#unfinished.add(item);
    deadlineTimer.schedule(this, item.due);
  }

  delete(item: TimeLimited): void {
    this.#unfinished.delete(item);
  }

  expireDue(now: number): number {
    let next = Infinity;
    for (const item of this.#unfinished)
      if (item.due > now) next = Math.min(next, item.due);
      else {
        this.delete(item);
        item.onLate();
      }
    return next;
  }
}

export const timeLimits = /* @__PURE__ */ new TimeLimits();
