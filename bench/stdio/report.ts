import { bundleCells } from "../shared/bundle.js";
import type { Goal } from "../shared/goal.js";
import { machine } from "../shared/results.js";
import { goalTable, spread, table } from "../shared/tables.js";
import type { Revision } from "../shared/traffic.js";
import type { Measured } from "./goals.js";

export interface Results extends Measured {
  readonly node: string;
  readonly platform: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly slices: number;
  readonly goals: readonly Goal[];
}

const revisions: readonly Revision[] = ["2025-11-25", "2026-07-28"];

export function linesOf(results: Results): readonly string[] {
  const { versions, rounds, slices, servers, clients, lists, starts, bundles, installs, goals } = results;
  return [
    "# stdio",
    "",
    `${machine}. ${Object.entries(versions)
      .map(([name, version]) => `${name}: ${version}`)
      .join("; ")}.`,
    "",
    `Each figure is the median of ${rounds} rounds of ${slices} slices, with minimum and maximum in parentheses. All subjects take ` +
      "turns. A ratio is the median of the ratios within a round. CPU is the time of the whole process: all threads, user and system.",
    "",
    "## Goals",
    "",
    ...goalTable(goals),
    "",
    ...revisions.flatMap((revision) => [
      `## Servers, ${revision}`,
      "",
      "One tool with five input members, 64 concurrent calls. p50 and p99 are measured with sequential calls.",
      "",
      ...table(
        ["server", "CPU µs per call", "relative to the floor", "calls/s", "p50 µs", "p99 µs", "peak RSS, MB"],
        servers
          .filter((row) => row.revision === revision)
          .map((row) => [
            row.name,
            spread(row.cpuMicroseconds),
            spread(row.timesFloor),
            row.callsPerSecond.median.toFixed(0),
            row.p50.toFixed(0),
            row.p99.toFixed(0),
            row.peakMegabytes.toFixed(0),
          ]),
      ),
      "",
    ]),
    ...revisions.flatMap((revision) => [
      `## Clients, ${revision}`,
      "",
      "The same call to a raw echo with coalesced writes, 64 concurrent calls.",
      "",
      ...table(
        ["client", "CPU µs per call", "relative to the raw client", "calls/s"],
        clients
          .filter((row) => row.revision === revision)
          .map((row) => [
            row.name,
            spread(row.cpuMicroseconds),
            spread(row.timesRaw),
            row.callsPerSecond.median.toFixed(0),
          ]),
      ),
      "",
    ]),
    "## tools/list of 100 tools",
    "",
    ...table(
      ["server", "revision", "CPU µs per call", "relative to the raw list", "bytes"],
      lists.map((row) => [
        row.name,
        row.revision,
        spread(row.cpuMicroseconds, 0),
        spread(row.timesFloor),
        String(row.bytes),
      ]),
    ),
    "",
    "## Cold start",
    "",
    "Time from the start of the process to its first reply. Rows without zod use a schema that needs no library.",
    "",
    ...table(
      ["server", "ms", "over the empty script", "peak RSS, MB"],
      starts.map((row) => [
        row.name,
        spread(row.ms, 1),
        spread(row.overEmpty, 1),
        row.peakMegabytes?.toFixed(0) ?? "–",
      ]),
    ),
    "",
    "## Bundles",
    "",
    ...table(["bundle", "minified, bytes", "gzipped, bytes"], bundles.map(bundleCells)),
    "",
    "## Production install",
    "",
    ...table(
      ["install", "bytes", "packages"],
      installs.map((row) => [row.name, String(row.bytes), String(row.packages.length)]),
    ),
    "",
  ];
}
