import { format } from "prettier";
import { revisions } from "./contract.js";
import { type Figure, median, type Row } from "./figures.js";
import { jsonParse } from "./runners.js";

/** Same as in the repository's prettier options, because its format check covers the results. */
const printWidth = 120;

export interface Results {
  readonly node: string;
  readonly platform: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
  readonly missed: readonly string[];
}

/** Prints the results as Markdown: for each revision the valid messages, then the invalid ones. */
export async function markdownOf(results: Results, ours: string): Promise<string> {
  const { node, platform, versions, rows, missed } = results;
  const peers = Object.keys(versions).filter((name) => name !== ours);
  const of = (revision: string): readonly Row[] => rows.filter((row) => row.revision === revision);
  const text = [
    "# Validators",
    "",
    `Node ${node}, ${platform}. ${Object.entries(versions)
      .map(([name, version]) => `${name}: ${version}`)
      .join("; ")}.`,
    "",
    "Times per message. A peer's column has the ratio to mcpwright in the same round (above 1 is slower than mcpwright), with the " +
      "peer's nanoseconds in parentheses. A dash means that the peer does not support the message.",
    "",
    "mcpwright is timed twice in each round. The two timings differ by " +
      `${percent(median(rows.map(({ noise }) => noise)))} in the median and by ` +
      `${percent(Math.max(...rows.map(({ noise }) => noise)))} at most: smaller differences are noise.`,
    "",
    ...revisions.flatMap((revision) => [
      `## ${revision}, valid messages`,
      "",
      ...validTable(of(revision), ours, peers),
      "",
      `## ${revision}, invalid messages`,
      "",
      ...invalidTable(of(revision), ours, peers),
      "",
    ]),
    "## Goals",
    "",
    ...(missed.length === 0 ? ["All met."] : missed.map((goal) => `- Missed: ${goal}`)),
    "",
  ].join("\n");
  return format(text, { parser: "markdown", printWidth });
}

export function jsonOf(results: Results): Promise<string> {
  const rounded = JSON.stringify(results, (_, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(4)) : value,
  );
  return format(rounded, { parser: "json", printWidth });
}

function validTable(rows: readonly Row[], ours: string, peers: readonly string[]): readonly string[] {
  return table(
    ["message", `${ours}, ns`, "share of JSON.parse", ...peers],
    rows.map((row) => [
      row.name,
      nanoseconds(row.valid, ours),
      `${row.ofJsonParse.toFixed(3)} of ${nanoseconds(row.valid, jsonParse)} ns`,
      ...peers.map((peer) => cell(row.valid, peer, row.untimed)),
    ]),
  );
}

function invalidTable(rows: readonly Row[], ours: string, peers: readonly string[]): readonly string[] {
  return table(
    ["message", `${ours}, ns`, "relative to valid", ...peers],
    rows.flatMap((row) =>
      row.ofValid === undefined
        ? []
        : [
            [
              row.name,
              nanoseconds(row.invalid, ours),
              row.ofValid.toFixed(2),
              ...peers.map((peer) => cell(row.invalid, peer, row.untimed)),
            ],
          ],
    ),
  );
}

function table(head: readonly string[], body: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...body.map(line)];
}

function cell(figures: readonly Figure[], engine: string, untimed: Readonly<Record<string, string>>): string {
  const figure = figures.find((candidate) => candidate.engine === engine);
  if (!figure) return untimed[engine] ?? "–";
  const times = figure.timesOurs < 10 ? figure.timesOurs.toFixed(2) : figure.timesOurs.toFixed(0);
  return `${times} (${nanoseconds(figures, engine)})`;
}

function nanoseconds(figures: readonly Figure[], engine: string): string {
  const ns = figures.find((figure) => figure.engine === engine)?.ns;
  if (ns === undefined) return "–";
  return ns < 100 ? ns.toFixed(1) : ns.toFixed(0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
