import type { Effort } from "../shared/effort.js";
import { inTurns, quantile, ratios, type Spread, spreadOf } from "../shared/rounds.js";
import type { Stage } from "../shared/stage.js";
import { type Form, forms, nameOf } from "./forms.js";
import { Load } from "./load.js";
import { HttpServerProcess } from "./server-process.js";
import { floor, type Subject, subjects } from "./subjects.js";

const oneByOne = 200;

export interface ServerRow {
  readonly name: string;
  readonly form: string;
  readonly cpuMicroseconds: Spread;
  /** CPU per request as a multiple of the floor's of the same form, in the same round. */
  readonly timesFloor: Spread;
  readonly requestsPerSecond: Spread;
  /** One request after the other, microseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly peakMegabytes: number;
}

/** A tool called over and over, form by form. */
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
  readonly cpu: number[];
  readonly rate: number[];
  readonly latencies: number[];
}

export async function measureForm(
  stage: Stage,
  { rounds, sampleMs, warmUpMs }: Effort,
  form: Form,
  able: readonly Subject[],
): Promise<readonly ServerRow[]> {
  const runners: Runner[] = [];
  try {
    for (const subject of able) {
      const script = stage.script(`servers/${subject.script}`);
      const process = await HttpServerProcess.start(script, [form.kind, form.reply]);
      const load = new Load(process.port, form);
      const runner: Runner = { subject, process, load, calls: 1_000, cpu: [], rate: [], latencies: [] };
      runners.push(runner);
      await named(runner, load.open());
      await named(runner, warmUp(runner, warmUpMs, sampleMs));
    }
    await inTurns(runners, rounds, (runner) => named(runner, sample(runner)));
    const base = runners.find(({ subject }) => subject.name === floor)?.cpu ?? [];
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

async function warmUp(runner: Runner, warmUpMs: number, sampleMs: number): Promise<void> {
  const { process, load } = runner;
  await load.connect();
  // Slow servers would still run unoptimised code after so little CPU time.
  await load.pump(5 * warmUpMs);
  const start = process.cpuMs;
  let before = start;
  let used = 0;
  do {
    await load.pump(1_000);
    used = process.cpuMs - before;
    before += used;
  } while (before - start < warmUpMs);
  load.disconnect();
  runner.calls = Math.min(100_000, Math.max(500, Math.round((1_000 * sampleMs) / used)));
}

async function sample({ process, load, calls, cpu, rate, latencies }: Runner): Promise<void> {
  await load.connect();
  // What the others left in the processor's caches is not this one's cost, nor are new connections.
  await load.pump(Math.ceil(calls / 10));
  const before = process.cpuMs;
  const start = performance.now();
  await load.pump(calls);
  const elapsed = performance.now() - start;
  cpu.push(((process.cpuMs - before) * 1_000) / calls);
  rate.push((calls * 1_000) / elapsed);
  latencies.push(...(await load.ask(oneByOne)));
  load.disconnect();
}

function rowOf({ subject, process, cpu, rate, latencies }: Runner, form: string, base: readonly number[]): ServerRow {
  return {
    name: subject.name,
    form,
    cpuMicroseconds: spreadOf(cpu),
    timesFloor: ratios(cpu, base),
    requestsPerSecond: spreadOf(rate),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    peakMegabytes: process.peakMegabytes,
  };
}
