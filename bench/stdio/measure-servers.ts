import { callsOf, type Effort } from "../shared/effort.js";
import { inTurns, quantile, ratios, type Spread, spreadOf } from "../shared/rounds.js";
import { ServerProcess } from "./server-process.js";
import type { Stage } from "../shared/stage.js";
import { Tally } from "../shared/tally.js";
import { floor, servers, type Subject } from "./subjects.js";
import { call, checkCall } from "../shared/traffic.js";

const inFlight = 64;
/** Sequential calls per slice. */
const oneByOne = 30;

export interface ServerRow {
  readonly name: string;
  readonly revision: string;
  readonly cpuMicroseconds: Spread;
  /** CPU per call relative to the floor, in the same round. */
  readonly timesFloor: Spread;
  readonly callsPerSecond: Spread;
  /** Latency of sequential calls, in microseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly peakMegabytes: number;
}

interface Runner {
  readonly subject: Subject;
  readonly process: ServerProcess;
  calls: number;
  readonly tally: Tally;
  readonly latencies: number[];
}

/**
 * Calls the tool repeatedly: 64 concurrent calls, then sequential ones.
 * @param baseName the subject that the others are compared with
 */
export async function measureServers(
  stage: Stage,
  { rounds, slices, sliceMs, warmUpMs }: Effort,
  subjects: readonly Subject[] = servers,
  baseName: string = floor,
): Promise<readonly ServerRow[]> {
  const runners: Runner[] = [];
  try {
    for (const subject of subjects) {
      const process = new ServerProcess([stage.script(`servers/${subject.script}`), "1", subject.revision]);
      const runner: Runner = { subject, process, calls: 2_000, tally: new Tally(), latencies: [] };
      runners.push(runner);
      await process.open(subject.revision);
      checkCall(await process.ask(call(subject.revision)), process.lastId, subject.revision);
      await warmUp(runner, warmUpMs, sliceMs);
    }
    await inTurns(runners, rounds * slices, (runner, turn) => sample(runner, Math.floor(turn / slices)));
    return runners.map((runner) => rowOf(runner, runners, baseName));
  } finally {
    await Promise.all(runners.map(({ process }) => process.close()));
  }
}

async function warmUp(runner: Runner, warmUpMs: number, sliceMs: number): Promise<void> {
  const { process, subject } = runner;
  const start = process.cpuMs;
  let before = start;
  let used = 0;
  do {
    await process.pump(call(subject.revision), 2_000, inFlight);
    used = process.cpuMs - before;
    before += used;
  } while (before - start < warmUpMs);
  runner.calls = callsOf(sliceMs, 2_000, used);
}

async function sample({ process, subject, calls, tally, latencies }: Runner, round: number): Promise<void> {
  const template = call(subject.revision);
  // Exclude the cost of cold processor caches.
  await process.pump(template, Math.ceil(calls / 10), inFlight);
  const before = process.cpuMs;
  const start = performance.now();
  await process.pump(template, calls, inFlight);
  const wallMs = performance.now() - start;
  tally.add(round, { calls, cpuMs: process.cpuMs - before, wallMs });
  for (let one = 0; one < oneByOne; one++) {
    const sent = performance.now();
    const reply = await process.ask(template);
    latencies.push((performance.now() - sent) * 1_000);
    checkCall(reply, process.lastId, subject.revision);
  }
}

function rowOf(
  { subject, process, tally, latencies }: Runner,
  runners: readonly Runner[],
  baseName: string,
): ServerRow {
  const { name, revision } = subject;
  const { cpu, rate } = tally;
  const base = runners.find((other) => other.subject.name === baseName && other.subject.revision === revision);
  return {
    name,
    revision,
    cpuMicroseconds: spreadOf(cpu),
    timesFloor: ratios(cpu, base?.tally.cpu ?? []),
    callsPerSecond: spreadOf(rate),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    peakMegabytes: process.peakMegabytes,
  };
}
