/** Runs simulations: npm run simulate -- --seeds 2000 --from 1 --workers 2, or npm run simulate -- --seed 5 --trace */
import { fork } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { runSeed } from "./run-seed.js";
import { runSeeds, type Summary } from "./run-seeds.js";

const usage = "usage: npm run simulate -- [--seeds N] [--from N] [--workers N] | --seed N [--trace]";
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    workers: { type: "string", default: "1" },
    seed: { type: "string" },
    trace: { type: "boolean", default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const [seeds, from, workers] = [values.seeds, values.from, values.workers].map(Number) as [number, number, number];
const isValid = [seeds, from, workers, Number(values.seed ?? 1)].every((one) => Number.isSafeInteger(one) && one > 0);

if (!isValid) {
  say(usage);
  process.exitCode = 2;
} else if (values.seed !== undefined && values.trace) await showTrace(Number(values.seed));
else if (values.seed !== undefined) finish([await runSeeds(Number(values.seed), 1, say)]);
else if (workers === 1) finish([await runSeeds(from, seeds, say)]);
else finish(await runInWorkers());

/** Prints everything that happens in a simulation. */
async function showTrace(seed: number): Promise<void> {
  const { trace, violations, digest } = await runSeed(seed, true);
  for (const line of trace) say(line);
  say(`digest ${digest}; ${violations.length} violations`);
  for (const violation of violations) say(violation);
  if (violations.length > 0) process.exitCode = 1;
}

/** Each worker is a process that runs a part of the seeds, and sends its summary. */
function runInWorkers(): Promise<readonly Summary[]> {
  const size = Math.ceil(seeds / workers);
  const parts = Array.from(
    { length: workers },
    (_, at) => [from + at * size, Math.min(size, seeds - at * size)] as const,
  );
  return Promise.all(
    parts
      .filter(([, count]) => count > 0)
      .map(async ([first, count]) => {
        const worker = fork(process.argv[1] ?? "", ["--from", String(first), "--seeds", String(count)]);
        const [summary] = (await once(worker, "message")) as [Summary];
        return summary;
      }),
  );
}

function finish(summaries: readonly Summary[]): void {
  const failed = summaries.flatMap((one) => one.failed);
  const sum = (count: (one: Summary) => number): number => summaries.reduce((total, one) => total + count(one), 0);
  if (failed.length > 0) process.exitCode = 1;
  if (process.send) {
    process.send(summaries[0]);
    return;
  }
  const [all, events, cpuMs] = [sum((one) => one.seeds), sum((one) => one.events), sum((one) => one.cpuMs)];
  const perSeed = `${(events / all).toFixed(0)} events and ${(cpuMs / all).toFixed(1)} ms of CPU per seed`;
  say(`${all} seeds: ${failed.length} failed${failed.length > 0 ? ` (${failed.join(", ")})` : ""}; ${perSeed}`);
}
