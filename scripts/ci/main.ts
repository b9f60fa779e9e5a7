/**
 * Runs the steps of `steps.ts`, which must pass before a change is merged. `.ci/run` runs it.
 * `npx tsx scripts/ci/main.ts lint format` runs only the steps with these words in their names, without the steps they need.
 */
import { join } from "node:path";
import { startCommand } from "./processes.js";
import { type Outcome, runSteps, select, type Started, type Step } from "./schedule.js";
import { steps } from "./steps.js";
import { stepTable } from "./table.js";

const root = join(import.meta.dirname, "../..");
const since = performance.now();
const running = new Map<Step, Started>();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    void Promise.all(Array.from(running.values(), (one) => one.abort())).finally(() => process.exit(1));
  });

const outcomes = await runSteps(select(steps, process.argv.slice(2)), {
  start(step) {
    const started = startCommand(step.command, root);
    running.set(step, started);
    return started;
  },
  began: ({ name }) => console.log(`-- ${clock()} ${name} begins`),
  ended(outcome) {
    running.delete(outcome.step);
    printOutcome(outcome);
  },
});

console.log(`\n${stepTable(outcomes, (performance.now() - since) / 1_000)}`);
const failed = outcomes.filter(({ passed }) => !passed);
for (const { step, seconds } of failed) console.log(`\nFAILED: ${step.name}, after ${seconds.toFixed(0)} s`);
if (failed.length > 0) process.exitCode = 1;

function printOutcome({ step, seconds, passed, output }: Outcome): void {
  console.log(`\n== ${step.name}: ${passed ? "passed" : "FAILED"} after ${seconds.toFixed(0)} s (${step.command})`);
  if (output !== "") console.log(output.trimEnd());
  console.log("");
}

function clock(): string {
  const seconds = Math.round((performance.now() - since) / 1_000);
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}
