import { bundleCells, type BundleRow } from "../shared/bundle.js";
import type { Goal } from "../shared/goal.js";
import { machine } from "../shared/results.js";
import { goalTable, spread, type Table, table } from "../shared/tables.js";
import type { ServerRow } from "./measure.js";
import { formNames, subjects } from "./subjects.js";

export interface Results {
  readonly node: string;
  readonly platform: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly slices: number;
  readonly goals: readonly Goal[];
  readonly servers: readonly ServerRow[];
  readonly bundles: readonly BundleRow[];
}

export function linesOf({ versions, rounds, slices, goals, servers, bundles }: Results): readonly string[] {
  return [
    "# Streamable HTTP",
    "",
    `${machine}. ${Object.entries(versions)
      .map(([name, version]) => `${name}: ${version}`)
      .join("; ")}.`,
    "",
    `Each figure is the median of ${rounds} rounds of ${slices} slices, with minimum and maximum in parentheses. All servers of a ` +
      "form take turns. A ratio is the median of the ratios within a round. CPU is the time of the whole process: all threads, " +
      "user and system.",
    "",
    "## Goals",
    "",
    ...goalTable(goals),
    "",
    "## CPU per request, relative to bare node:http in the same form",
    "",
    "A dash means that the server does not support the form.",
    "",
    ...matrix(servers),
    "",
    ...formNames.flatMap((form) => [
      `## ${form}`,
      "",
      "One tool with five input members, called by 32 concurrent clients. p50 and p99 are measured with sequential calls.",
      "",
      ...formTable(servers.filter((row) => row.form === form)),
      "",
    ]),
    "## Bundles",
    "",
    ...table(["bundle", "minified, bytes", "gzipped, bytes"], bundles.map(bundleCells)),
    "",
  ];
}

function matrix(servers: readonly ServerRow[]): Table {
  return table(
    ["server", ...formNames],
    subjects.map(({ name }) => [
      name,
      ...formNames.map((form) => {
        const row = servers.find((one) => one.name === name && one.form === form);
        return row?.timesFloor.median.toFixed(2) ?? "–";
      }),
    ]),
  );
}

function formTable(rows: readonly ServerRow[]): Table {
  return table(
    ["server", "CPU µs per request", "relative to the floor", "requests/s", "p50 µs", "p99 µs", "peak RSS, MB"],
    rows.map((row) => [
      row.name,
      spread(row.cpuMicroseconds),
      spread(row.timesFloor),
      row.requestsPerSecond.median.toFixed(0),
      row.p50.toFixed(0),
      row.p99.toFixed(0),
      row.peakMegabytes.toFixed(0),
    ]),
  );
}
