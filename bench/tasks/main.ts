/** Measures tasks with the memory store against plain calls of the same tool, and their memory; fails when a goal is missed. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { goal } from "../shared/goal.js";
import { machine, publish, quick } from "../shared/results.js";
import { ratios, spreadOf } from "../shared/rounds.js";
import { makeStage } from "../shared/stage.js";
import { goalTable, spread, table } from "../shared/tables.js";

/** In some processes V8 optimises the same code better than in others. */
const starts = quick ? 1 : 3;
const count = 10_000;

const stage = await makeStage(import.meta.dirname);
const run = async (script: string, ...args: number[]): Promise<unknown> => {
  const options = ["--expose-gc", stage.script(`programs/${script}`), ...args.map(String)];
  return JSON.parse((await promisify(execFile)(process.execPath, options)).stdout);
};

try {
  const calls: { plain: number[]; task: number[] } = { plain: [], task: [] };
  for (let start = 0; start < starts; start++) {
    const { plain, task } = (await run("calls", quick ? 2 : 7, quick ? 2 : 10)) as typeof calls;
    calls.plain.push(...plain);
    calls.task.push(...task);
  }
  const heaps = (await run("memory", quick ? 2 : 5, count, quick ? 5_000 : 10_000)) as {
    inFlight: number;
    after: number;
  }[];
  const times = ratios(calls.task, calls.plain);
  const [first, last] = [heaps[0]?.after ?? NaN, heaps.at(-1)?.after ?? NaN];
  const bytesPerTask = spreadOf(heaps.map(({ inFlight, after }) => (inFlight - after) / count));
  const rows = [
    { name: "plain call", cpu: spreadOf(calls.plain) },
    { name: "task: call, tool, result, `tasks/get`", cpu: spreadOf(calls.task) },
  ];
  const goals = [
    goal("CPU to create a task, end it, and get it once, relative to a plain call", 3, times.median),
    goal(
      `heap after ${count.toLocaleString("en")} tasks in flight have expired, ${heaps.length} times, relative to the first time`,
      1.05,
      last / first,
    ),
  ];
  const lines = [
    "# Tasks",
    "",
    `${machine}, memory store, in one process without a client. Medians of ${calls.plain.length} rounds in ${starts} processes, with minimum ` +
      "and maximum in parentheses. Plain calls and tasks take turns; ratios are within a round. CPU is that of the whole process.",
    "",
    ...goalTable(goals),
    "",
    ...table(
      ["form", "CPU µs"],
      rows.map(({ name, cpu }) => [name, spread(cpu)]),
    ),
    "",
    `A task in flight whose tool waits takes ${bytesPerTask.median.toFixed(0)} bytes of heap, its handler included.`,
    "",
  ];
  await publish("tasks", lines, { goals, times, rows, heaps, bytesPerTask });
} finally {
  stage.remove();
}
