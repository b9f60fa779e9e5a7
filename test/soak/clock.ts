/** Clocks that can be made to jump. Must be imported before anything that takes a clock's function. */
const realDate = Date.now.bind(Date);
const realPerformance = performance.now.bind(performance);
let dateOffset = 0;
let performanceOffset = 0;

Date.now = () => realDate() + dateOffset;
performance.now = () => realPerformance() + performanceOffset;

/** The process was suspended for so long, and the time of day was corrected. The monotonic clock goes forward only. */
export function jump(monotonicMs: number, dateMs: number): void {
  performanceOffset += monotonicMs;
  dateOffset += dateMs;
}
