/** Limits a delay in milliseconds to what timers support: with a longer one, such as Infinity, they fire immediately. */
export function timerDelay(ms: number): number {
  return Math.min(ms, 0x7fffffff);
}

/** Keeps a timer from keeping the Node process alive. Other hosts have numbers for timers and need no `unref`. */
export function unref<Timer>(timer: Timer): Timer {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}
