/** As much of a time as a timer can wait, in milliseconds: with more, such as Infinity, it would not wait at all. */
export function timerDelay(ms: number): number {
  return Math.min(ms, 0x7fffffff);
}

/** Node would wait for a timer before it ends; other hosts do not, and have numbers for timers. */
export function unref<Timer>(timer: Timer): Timer {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}
