import type { Goal } from "./goal.js";
import type { Spread } from "./rounds.js";

export type Table = readonly string[];

export function table(header: readonly string[], rows: readonly (readonly string[])[]): Table {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = header.map((_, column) => (column === 0 ? "---" : "---:"));
  return [line(header), line(rule), ...rows.map(line)];
}

export function goalTable(goals: readonly Goal[]): Table {
  return table(
    ["goal", "at most", "measured", ""],
    goals.map(({ goal, most, measured, met }) => [goal, String(most), short(measured), met ? "met" : "**missed**"]),
  );
}

function short(figure: number): string {
  return Number.isInteger(figure) ? String(figure) : figure.toFixed(2);
}

export function spread({ median, least, most }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
}
