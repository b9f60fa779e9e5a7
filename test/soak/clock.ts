/** Clocks that can jump. Must be imported before any module that stores a clock's function. */
const realDate = Date.now.bind(Date);
const realPerformance = performance.now.bind(performance);
let dateOffset = 0;
let performanceOffset = 0;

Date.now = () => realDate() + dateOffset;
performance.now = () => realPerformance() + performanceOffset;

/** Simulates a suspended process and a corrected time of day. The monotonic clock only moves forward. */
export function jump(monotonicMs: number, dateMs: number): void {
  performanceOffset += monotonicMs;
  dateOffset += dateMs;
}
