/** Runs many clients of every era against servers with injected faults: npm run soak -- --minutes N --seed S --intensity low */
import { parseArgs } from "node:util";
import { runAttacks } from "./attacks/run-attacks.js";
import { bundlePrograms } from "./bundles.js";
import { injectFaults } from "./faults.js";
import { checkAllEnded, checkServersReleased, readServerStates } from "./release-checks.js";
import { EventLog } from "./event-log.js";
import type { Intensity } from "./messages.js";
import { Random } from "./random.js";
import { SoakProcesses, sources } from "./soak-processes.js";
import { describeFailure, summarize } from "./summary.js";
import { sleep } from "./wait.js";

const intensities: Readonly<Record<string, Intensity & { readonly faultEveryMs: number }>> = {
  low: { workers: 2, clientsPerWorker: 4, pauseMs: [100, 400], faultEveryMs: 2_500 },
  normal: { workers: 3, clientsPerWorker: 8, pauseMs: [20, 200], faultEveryMs: 3_500 },
};
/** The number of failures that are printed in full. */
const most = 20;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    intensity: { type: "string", default: "normal" },
  },
});
const { seed } = values;
const minutes = Number(values.minutes);
const intensity = intensities[values.intensity];
if (!intensity || !(minutes > 0 && minutes <= 24 * 60)) {
  process.stderr.write("usage: npm run soak -- [--minutes N] [--seed S] [--intensity low|normal]\n");
  process.exit(2);
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const ledger = new EventLog();
const { programs, remove } = await bundlePrograms(import.meta.dirname, sources);
const stage = new SoakProcesses(programs, ledger, seed, intensity, (failure) => {
  // Other failures may turn out to be explained by a fault.
  if (failure.code === "WRONG" || failure.code === "UNTYPED") say(describeFailure(seed, failure));
});
const began = Date.now();
const phase = (name: string): void => say(`${((Date.now() - began) / 1_000).toFixed(1)} s: ${name}`);
const end = began + minutes * 60_000;
const isOver = (): boolean => Date.now() >= end;
say(`soak: ${minutes} minutes, seed ${seed}, intensity ${values.intensity}`);
try {
  await stage.begin();
  // Memory that every program allocates once does not count as growth.
  const warmUpMs = Math.min(minutes * 60_000 * 0.3, 120_000);
  await sleep(warmUpMs);
  phase("all clients pause for the first measurement");
  await stage.pause();
  const before = await readServerStates(stage);
  stage.resume();
  phase("faults");
  const { faultEveryMs } = intensity;
  await injectFaults(stage, ledger, new Random(`${seed} faults`), faultEveryMs, isOver);
  phase("clients end");
  await stage.finishWorkers();
  phase("servers are checked");
  const after = await checkServersReleased(stage, ledger, before);
  phase("servers end");
  await checkAllEnded(stage, ledger);
  phase("attacks");
  ledger.violations.push(...(await runAttacks(programs.attacked, say)));
  say(`\n${summarize(ledger)}\n\n${after}`);
} catch (error) {
  ledger.violations.push(`the run failed: ${(error as Error).stack ?? String(error)}`);
} finally {
  await stage.kill();
  remove();
}

const { unexcused, violations, requests, faults, failures } = ledger;
for (const failure of unexcused.slice(0, most)) say(`\n${describeFailure(seed, failure)}`);
for (const violation of violations) say(`\nVIOLATION: ${violation}`);
const bad = unexcused.length + violations.length;
say(
  `\n${bad === 0 ? "PASSED" : "FAILED"}: ${requests} steps, ${faults.length} faults, ${failures.length} failures, ${unexcused.length} unexplained; ${violations.length} violations; seed ${seed}`,
);
process.exitCode = bad === 0 ? 0 : 1;
