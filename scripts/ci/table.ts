import type { Outcome } from "./schedule.js";

/** The steps with their seconds, in the order in which they ended. Most ran two at a time: the sum is more than the total. */
export function stepTable(outcomes: readonly Outcome[], totalSeconds: number): string {
  const rows = [
    ...outcomes.map(({ step, seconds }) => [step.name, seconds] as const),
    ["sum of the steps", outcomes.reduce((sum, { seconds }) => sum + seconds, 0)] as const,
    ["from start to end", totalSeconds] as const,
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, seconds]) => `${name.padEnd(width)}  ${seconds.toFixed(0).padStart(5)} s`).join("\n");
}
