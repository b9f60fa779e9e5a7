/** As much of a time as a timer can wait, in milliseconds: with more, such as Infinity, it would not wait at all. */
export function timerMs(ms: number): number {
  return Math.min(ms, 0x7fffffff);
}
