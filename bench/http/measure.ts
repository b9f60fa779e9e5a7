import { callsOf, type Effort } from "../shared/effort.js";
import { inTurns, quantile, ratios, type Spread, spreadOf } from "../shared/rounds.js";
import type { Stage } from "../shared/stage.js";
import { Tally } from "../shared/tally.js";
import { type Form, forms, nameOf } from "./forms.js";
import { Load } from "./load.js";
import { HttpServerProcess } from "./server-process.js";
import { floor, type Subject, subjects } from "./subjects.js";

/** Sequential calls per slice. */
const oneByOne = 20;

export interface ServerRow {
  readonly name: string;
  readonly form: string;
  /** CPU microseconds per request, of each round. */
  readonly rounds: readonly number[];
  readonly cpuMicroseconds: Spread;
  /** CPU per request relative to the floor of the same form, in the same round. */
  readonly timesFloor: Spread;
  readonly requestsPerSecond: Spread;
  /** Latency of sequential requests, in microseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly peakMegabytes: number;
}

/** Calls the tool repeatedly, form by form. */
export async function measureServers(stage: Stage, effort: Effort): Promise<readonly ServerRow[]> {
  const rows: ServerRow[] = [];
  for (const form of forms) {
    const able = subjects.filter(({ does }) => does(form));
    rows.push(...(await measureForm(stage, effort, form, able)));
  }
  return rows;
}

interface Runner {
  readonly subject: Subject;
  readonly process: HttpServerProcess;
  readonly load: Load;
  calls: number;
  readonly tally: Tally;
  readonly latencies: number[];
}

export async function measureForm(
  stage: Stage,
  { rounds, slices, sliceMs, warmUpMs }: Effort,
  form: Form,
  able: readonly Subject[],
  baseName: string = floor,
): Promise<readonly ServerRow[]> {
  const runners: Runner[] = [];
  try {
    for (const subject of able) {
      const script = stage.script(`servers/${subject.script}`);
      const process = await HttpServerProcess.start(script, [form.kind, form.reply, ...(subject.args ?? [])]);
      const load = new Load(process.port, form, await subject.credentials?.());
      const runner: Runner = { subject, process, load, calls: 1_000, tally: new Tally(), latencies: [] };
      runners.push(runner);
      await named(runner, load.open());
      await named(runner, warmUp(runner, warmUpMs, sliceMs));
    }
    for (let round = 0; round < rounds; round++) {
      // Servers close connections after some idle seconds: each round opens new ones.
      for (const runner of runners) await named(runner, runner.load.connect());
      await inTurns(runners, slices, (runner) => named(runner, sample(runner, round)));
      for (const { load } of runners) load.disconnect();
    }
    const base = runners.find(({ subject }) => subject.name === baseName)?.tally.cpu ?? [];
    return runners.map((runner) => rowOf(runner, nameOf(form), base));
  } finally {
    await Promise.all(runners.map(({ process }) => process.close()));
  }
}

async function named({ subject }: Runner, step: Promise<void>): Promise<void> {
  try {
    await step;
  } catch (error) {
    throw new Error(`${subject.name} failed`, { cause: error });
  }
}

async function warmUp(runner: Runner, warmUpMs: number, sliceMs: number): Promise<void> {
  const { process, load } = runner;
  await load.connect();
  // With CPU time as the only limit, slow servers would still run unoptimised code.
  await load.prepare(2 * warmUpMs);
  await load.pump(2 * warmUpMs);
  const start = process.cpuMs;
  let before = start;
  let used = 0;
  do {
    await load.prepare(1_000);
    await load.pump(1_000);
    used = process.cpuMs - before;
    before += used;
  } while (before - start < warmUpMs);
  load.disconnect();
  runner.calls = callsOf(sliceMs, 1_000, used);
}

async function sample({ process, load, calls, tally, latencies }: Runner, round: number): Promise<void> {
  await load.prepare(2 * calls + oneByOne);
  // Exclude the cost of cold processor caches and of new connections.
  await load.pump(Math.ceil(calls / 10));
  const before = process.cpuMs;
  const start = performance.now();
  await load.pump(calls);
  const wallMs = performance.now() - start;
  tally.add(round, { calls, cpuMs: process.cpuMs - before, wallMs });
  latencies.push(...(await load.ask(oneByOne)));
}

function rowOf({ subject, process, tally, latencies }: Runner, form: string, base: readonly number[]): ServerRow {
  const { cpu, rate } = tally;
  return {
    name: subject.name,
    form,
    rounds: cpu,
    cpuMicroseconds: spreadOf(cpu),
    timesFloor: ratios(cpu, base),
    requestsPerSecond: spreadOf(rate),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    peakMegabytes: process.peakMegabytes,
  };
}
