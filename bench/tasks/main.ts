/** Measures tasks with the memory store against plain calls of the same tool, and their memory; fails when a goal is missed. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { goal } from "../shared/goal.js";
import { machine, publish, quick } from "../shared/results.js";
import { ratios, spreadOf } from "../shared/rounds.js";
import { makeStage } from "../shared/stage.js";
import { goalTable, spread, table } from "../shared/tables.js";
import { measureOverHttp } from "./over-http.js";

/** In some processes V8 optimises the same code better than in others. */
const starts = quick ? 1 : 3;
const count = 10_000;

const stage = await makeStage(import.meta.dirname);
const run = async (script: string, ...args: number[]): Promise<unknown> => {
  const options = ["--expose-gc", stage.script(`programs/${script}`), ...args.map(String)];
  return JSON.parse((await promisify(execFile)(process.execPath, options)).stdout);
};

type Rounds = { readonly plain: readonly number[]; readonly task: readonly number[] };
const [rounds, slices] = quick ? [2, 2] : [7, 10];

/** Several processes of one form, one after the other. */
async function measured(measure: () => Promise<Rounds>): Promise<Rounds> {
  const all: { plain: number[]; task: number[] } = { plain: [], task: [] };
  for (let start = 0; start < starts; start++) {
    const { plain, task } = await measure();
    all.plain.push(...plain);
    all.task.push(...task);
  }
  return all;
}

try {
  const overHttp = await measured(() => measureOverHttp(stage.script("programs/http"), rounds, slices));
  const inProcess = await measured(async () => (await run("in-process", rounds, slices)) as Rounds);
  const heaps = (await run("memory", quick ? 2 : 5, count, quick ? 5_000 : 10_000)) as {
    readonly inFlight: number;
    readonly after: number;
  }[];
  const [first, last] = [heaps[0]?.after ?? NaN, heaps.at(-1)?.after ?? NaN];
  const bytesPerTask = spreadOf(heaps.map(({ inFlight, after }) => (inFlight - after) / count));
  const rows = [
    { name: "over HTTP", ...overHttp },
    { name: "in one process, without transport and client", ...inProcess },
  ].map(({ name, plain, task }) => ({
    name,
    plain: spreadOf(plain),
    task: spreadOf(task),
    times: ratios(task, plain),
  }));
  const goals = [
    goal("over HTTP: CPU of a task and one `tasks/get`, relative to a plain call", 3, rows[0]?.times.median ?? NaN),
    goal(
      `heap after ${count.toLocaleString("en")} tasks in flight have expired, the last time of ${heaps.length} relative to the first`,
      1.05,
      last / first,
    ),
  ];
  const lines = [
    "# Tasks",
    "",
    `${machine}, memory store. A task is a call, its tool, its result in the store, and one \`tasks/get\`. Medians of ` +
      `${overHttp.plain.length} rounds in ${starts} processes, with minimum and maximum in parentheses. Plain calls and tasks take turns; ` +
      "ratios are within a round. CPU is that of the server's process.",
    "",
    ...goalTable(goals),
    "",
    ...table(
      ["", "plain call, CPU µs", "task, CPU µs", "relative"],
      rows.map(({ name, plain, task, times }) => [name, spread(plain), spread(task), spread(times)]),
    ),
    "",
    `A task in flight whose tool waits takes ${bytesPerTask.median.toFixed(0)} bytes of heap, its handler included.`,
    "",
  ];
  await publish("tasks", lines, { goals, rows, heaps, bytesPerTask });
} finally {
  stage.remove();
}
