import { format } from "prettier";
import type { Goal, Measured } from "./goals.js";
import type { Spread } from "./rounds.js";
import type { Revision } from "./traffic.js";

/** That of the repository, whose format check sees the results. */
const printWidth = 120;

export interface Results extends Measured {
  readonly node: string;
  readonly platform: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly goals: readonly Goal[];
}

const revisions: readonly Revision[] = ["2025-11-25", "2026-07-28"];

export function markdownOf(results: Results): Promise<string> {
  const { node, platform, versions, rounds, servers, clients, lists, starts, bundles, installs, goals } = results;
  return printed([
    "# stdio",
    "",
    `Node ${node}, ${platform}. ${Object.entries(versions)
      .map(([name, version]) => `${name}: ${version}`)
      .join("; ")}.`,
    "",
    `Medians of ${rounds} rounds in which all take turns, with the least and the greatest. A ratio is the median of the ratios ` +
      "within a round. CPU is that of the whole process, all threads, user and system.",
    "",
    "## Goals",
    "",
    ...goalTable(goals),
    "",
    ...revisions.flatMap((revision) => [
      `## Servers, ${revision}`,
      "",
      "One tool with an input of five members, called 64 at a time; p50 and p99 are of calls one after the other.",
      "",
      ...table(
        ["server", "CPU µs per call", "times the floor", "calls/s", "p50 µs", "p99 µs", "peak RSS, MB"],
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
      "The same call, 64 at a time, of a raw echo with coalesced writes.",
      "",
      ...table(
        ["client", "CPU µs per call", "times the raw client", "calls/s"],
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
      ["server", "revision", "CPU µs per call", "bytes"],
      lists.map((row) => [row.name, row.revision, spread(row.cpuMicroseconds, 0), String(row.bytes)]),
    ),
    "",
    "## Cold start",
    "",
    "From the start of the process to its first reply. Rows without zod take a schema that needs no library.",
    "",
    ...table(
      ["server", "ms", "more than the empty script", "peak RSS, MB"],
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
    ...table(
      ["bundle", "minified, bytes", "gzipped, bytes"],
      bundles.map((row) => [row.name, String(row.minified), String(row.gzipped)]),
    ),
    "",
    "## Production install",
    "",
    ...table(
      ["install", "bytes", "packages"],
      installs.map((row) => [row.name, String(row.bytes), String(row.packages.length)]),
    ),
    "",
  ]);
}

export function printed(lines: readonly string[]): Promise<string> {
  return format(lines.join("\n"), { parser: "markdown", printWidth });
}

export function jsonOf(results: unknown): Promise<string> {
  const rounded = JSON.stringify(results, (_, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(5)) : value,
  );
  return format(rounded, { parser: "json", printWidth });
}

export function goalTable(goals: readonly Goal[]): readonly string[] {
  return table(
    ["goal", "at most", "measured", ""],
    goals.map(({ goal, most, measured, met }) => [goal, String(most), short(measured), met ? "met" : "**missed**"]),
  );
}

function short(figure: number): string {
  return Number.isInteger(figure) ? String(figure) : figure.toFixed(2);
}

function spread({ median, least, most }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = header.map((_, column) => (column === 0 ? "---" : "---:"));
  return [line(header), line(rule), ...rows.map(line)];
}
