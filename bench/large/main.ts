/** Measures large results against JSON.stringify and one write, writes the results, and fails when a goal is missed. */
import { callsOf, effort } from "../shared/effort.js";
import { type Goal, goal } from "../shared/goal.js";
import { machine, publish } from "../shared/results.js";
import { inTurns, ratios, type Spread, spreadOf } from "../shared/rounds.js";
import { makeStage, type Stage } from "../shared/stage.js";
import { goalTable, spread, table } from "../shared/tables.js";
import { Tally } from "../shared/tally.js";
import { httpTarget, stdioTarget, type Target } from "./load.js";
import { type Large, larges } from "./results.js";

const transports = [
  { transport: "stdio", open: stdioTarget, script: "stdio" },
  { transport: "HTTP, JSON", open: httpTarget, script: "http" },
] as const;
const most = 1.1;

interface Row {
  readonly title: string;
  readonly transport: string;
  readonly floorMs: Spread;
  readonly oursMs: Spread;
  /** CPU per call relative to the floor, in the same round. */
  readonly timesFloor: Spread;
}

const stage = await makeStage(import.meta.dirname);
try {
  const rows: Row[] = [];
  for (const large of larges) for (const one of transports) rows.push(await measure(stage, large, one));
  const goals: readonly Goal[] = rows.map(({ title, transport, timesFloor }) =>
    goal(`${title}, ${transport}: CPU per call, relative to JSON.stringify and one write`, most, timesFloor.median),
  );
  await publish("large", linesOf(rows, goals), { node: process.versions.node, rows, goals });
} finally {
  stage.remove();
}

async function measure(
  where: Stage,
  large: Large,
  { transport, open, script }: (typeof transports)[number],
): Promise<Row> {
  const { rounds, slices, sliceMs, warmUpMs } = effort;
  const runners: { readonly target: Target; readonly calls: number; readonly tally: Tally }[] = [];
  try {
    for (const subject of ["raw", "mcpwright"]) {
      const target = await open(where.script(`servers/${script}-${subject}`), large);
      const start = target.cpuMs;
      let made = 0;
      for (; target.cpuMs - start < warmUpMs / 2; made += 5) await target.pump(5);
      runners.push({ target, calls: callsOf(4 * sliceMs, made, target.cpuMs - start, 2), tally: new Tally() });
    }
    await inTurns(runners, rounds * slices, async ({ target, calls, tally }, turn) => {
      const before = target.cpuMs;
      const begin = performance.now();
      await target.pump(calls);
      const wallMs = performance.now() - begin;
      tally.add(Math.floor(turn / slices), { calls, cpuMs: target.cpuMs - before, wallMs });
    });
    const [floor, ours] = runners.map(({ tally }) => tally.cpu) as [readonly number[], readonly number[]];
    const inMs = (micros: readonly number[]): Spread => spreadOf(micros.map((one) => one / 1_000));
    return {
      title: large.title,
      transport,
      floorMs: inMs(floor),
      oursMs: inMs(ours),
      timesFloor: ratios(ours, floor),
    };
  } finally {
    await Promise.all(runners.map(({ target }) => target.close()));
  }
}

function linesOf(rows: readonly Row[], goals: readonly Goal[]): readonly string[] {
  return [
    "# Large results",
    "",
    `${machine}. Each figure is the median of ${effort.rounds} rounds of ${effort.slices} slices, with minimum and maximum in ` +
      "parentheses. A tool returns the result, one call at a time. The floor creates the same result, calls JSON.stringify and " +
      "writes the text. CPU is the time of the whole process: all threads, user and system.",
    "",
    "## Goals",
    "",
    ...goalTable(goals),
    "",
    "## CPU per call",
    "",
    ...table(
      ["result", "transport", "floor, ms", "mcpwright, ms", "relative to the floor"],
      rows.map((row) => [row.title, row.transport, spread(row.floorMs), spread(row.oursMs), spread(row.timesFloor)]),
    ),
    "",
  ];
}
