import type { Outcome } from "./schedule.js";

/** The steps with their seconds, in the order in which they ended. Because steps run in parallel, their sum exceeds the total. */
export function stepTable(outcomes: readonly Outcome[], totalSeconds: number): string {
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
  const rows = [
    ["step", "seconds", "of CPU"],
    ...outcomes.map(({ step, seconds, cpuSeconds }) => [step.name, seconds.toFixed(0), cpuSeconds.toFixed(0)]),
    ["sum of the steps", sum(({ seconds }) => seconds).toFixed(0), sum(({ cpuSeconds }) => cpuSeconds).toFixed(0)],
    ["from start to end", totalSeconds.toFixed(0), ""],
  ];
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return rows
    .map(([name = "", ...cells]) => `${name.padEnd(width)}${cells.map((cell) => cell.padStart(9)).join("")}`.trimEnd())
    .join("\n");
}
