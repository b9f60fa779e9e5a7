/**
 * Measures calls through the API of the official SDK on our runtime against calls through our native API, and against the SDK itself,
 * writes the results, and fails when a goal is missed.
 */
import { measureForm } from "../http/measure.js";
import { type Effort, effort as quickEffort } from "../shared/effort.js";
import { type Goal, goal } from "../shared/goal.js";
import { machine, publish, quick, versionsOf } from "../shared/results.js";
import { ratios, type Spread } from "../shared/rounds.js";
import { makeStage } from "../shared/stage.js";
import { goalTable, spread, table } from "../shared/tables.js";
import { measureServers } from "../stdio/measure-servers.js";
import { forms, httpSubjects, native, nativeFactory, packages, stdioSubjects, usesFactory } from "./subjects.js";

const versions = versionsOf({
  "SDK 1.x": ["@modelcontextprotocol/sdk"],
  "SDK 2.x": ["@modelcontextprotocol/server"],
  bridge: ["@hono/node-server"],
});

/** Fewer rounds than elsewhere: the ratios differ by more than their spread. */
const effort: Effort = quick ? quickEffort : { rounds: 7, slices: 6, sliceMs: 20, warmUpMs: 1_500 };

interface Row {
  readonly name: string;
  readonly form: string;
  readonly cpuMicroseconds: Spread;
  /** CPU per call relative to the native API in the same form, in the same round. */
  readonly timesNative: Spread;
  /** The same, relative to the native API with a server per request, where the SDK makes one. */
  readonly timesFactory?: Spread;
}

const stage = await makeStage(
  import.meta.dirname,
  ["generated", "runtime", "compat"],
  [`zod@${versions["zod"] ?? "latest"}`],
);
try {
  for (const { folder, alias } of packages)
    for (const transport of ["stdio", "http"])
      await stage.compile(`${transport}/servers`, `servers/${folder}/${transport}`, alias);
  const rows: Row[] = [];
  for (const row of await measureServers(stage, effort, stdioSubjects, native))
    rows.push({ ...rowOf(row), form: `stdio, ${row.revision}` });
  for (const form of forms) {
    const able = httpSubjects.filter(({ does }) => does(form));
    const measured = await measureForm(stage, effort, form, able, native);
    const factory = usesFactory(form) ? measured.find(({ name }) => name === nativeFactory) : undefined;
    for (const row of measured)
      rows.push({
        ...rowOf(row),
        form: `HTTP, ${row.form}`,
        ...(factory && { timesFactory: ratios(row.rounds, factory.rounds) }),
      });
  }
  const goals = rows.filter(({ name }) => name.startsWith("compat ")).map(goalOf);
  await publish("compat", linesOf(rows, goals), { versions, goals, rows });
} finally {
  stage.remove();
}

function rowOf({
  name,
  cpuMicroseconds,
  timesFloor,
}: {
  readonly name: string;
  readonly cpuMicroseconds: Spread;
  readonly timesFloor: Spread;
}): Omit<Row, "form"> {
  return { name, cpuMicroseconds, timesNative: timesFloor };
}

/** Programs that make a server for each request are compared with the native API that does so, too. */
function goalOf({ name, form, timesNative, timesFactory }: Row): Goal {
  const base = timesFactory ? nativeFactory : native;
  return goal(`${name}, ${form}: CPU per call, relative to the ${base}`, 1.3, (timesFactory ?? timesNative).median);
}

function linesOf(rows: readonly Row[], goals: readonly Goal[]): readonly string[] {
  return [
    "# The API of the official SDK",
    "",
    `${machine}. ${Object.entries(versions)
      .map(([name, version]) => `${name}: ${version}`)
      .join("; ")}.`,
    "",
    "One tool with five input members in zod, on servers with default options. The same programs run with our packages (compat) and with " +
      `the SDK. Each figure is the median of ${effort.rounds} rounds of ${effort.slices} slices, with minimum and maximum in parentheses. ` +
      "All servers of a form take turns. A ratio is the median of the ratios within a round. CPU is the time of the whole process.",
    "",
    "## Goals",
    "",
    ...goalTable(goals),
    "",
    "## CPU per call",
    "",
    ...table(
      ["form", "server", "CPU µs per call", "relative to the native API", "to the native API, a server per request"],
      rows.map(({ form, name, cpuMicroseconds, timesNative, timesFactory }) => [
        form,
        name,
        spread(cpuMicroseconds),
        spread(timesNative),
        timesFactory ? spread(timesFactory) : "–",
      ]),
    ),
    "",
  ];
}
