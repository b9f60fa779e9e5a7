/** With fewer measurements, nothing can be said. */
const fewest = 5;

/**
 * Returns by which factor memory has grown: from the largest of the first measurements to the smallest of the last ones. A single one that
 * is too high or too low therefore changes nothing, but what grows with each measurement does. The first one, before everything is
 * loaded, does not count.
 * @returns undefined when there are too few
 */
export function growthOf(measurements: readonly number[]): number | undefined {
  const [, ...counted] = measurements;
  if (measurements.length < fewest) return undefined;
  const part = Math.max(1, Math.floor(counted.length / 3));
  return Math.min(...counted.slice(-part)) / Math.max(...counted.slice(0, part));
}
