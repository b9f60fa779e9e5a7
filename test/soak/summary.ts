import type { EventLog } from "./event-log.js";
import type { Failure } from "./messages.js";

/** The maximum length of the printed values of a failure. */
const shown = 600;

export function describeFailure(seed: string, failure: Failure): string {
  const { client, step, transport, revision, feature, code, expected, received } = failure;
  return [
    `${code}: ${feature} (${revision}, ${transport}), seed ${seed}, client ${client}, step ${step}`,
    `  expected ${expected.slice(0, shown)}`,
    `  received ${received.slice(0, shown)}`,
  ].join("\n");
}

/** Requests by feature, with one column per era and transport; faults by kind; failures by code. */
export function summarize(ledger: EventLog): string {
  const { done, faults, failures } = ledger;
  const columns = new Set<string>();
  const byFeature = new Map<string, Map<string, number>>();
  for (const [what, count] of done) {
    const [outcome, revision = "", transport = "", ...words] = what.split(" ");
    const feature = words.join(" ");
    const column = `${revision} ${transport}`;
    columns.add(column);
    const row = byFeature.get(feature) ?? new Map<string, number>();
    byFeature.set(feature, row);
    if (outcome === "done") row.set(column, (row.get(column) ?? 0) + count);
  }
  const sorted = [...columns].sort();
  const table = [
    ["feature", ...sorted],
    ...[...byFeature]
      .sort()
      .map(([feature, row]) => [feature, ...sorted.map((column) => String(row.get(column) ?? 0))]),
  ];
  const faultRows = [...countBy(faults, ({ kind }) => kind)].sort();
  const failureRows = [
    ...countBy(failures, (failure) => {
      const fault = ledger.excuse(failure);
      return `${failure.code} ${fault ? `while: ${fault.kind}` : "unexplained"}`;
    }),
  ].sort();
  return [
    aligned(table),
    aligned([["fault", "times"], ...faultRows.map(([kind, count]) => [kind, String(count)])]),
    aligned([["failure", "times"], ...failureRows.map(([kind, count]) => [kind, String(count)])]),
  ].join("\n\n");
}

export function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

export function aligned(table: readonly (readonly string[])[]): string {
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0))) ?? [];
  return table
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))))
    .map((row) => row.join("  "))
    .join("\n");
}
