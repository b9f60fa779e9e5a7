/**
 * Runs the steps of `steps.ts`, which must pass before a change is merged. `.ci/run` runs it.
 * `npx tsx scripts/ci/main.ts lint format` runs only the steps with these words in their names, without the steps they need.
 */
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { startCommand } from "./processes.js";
import { type Outcome, runSteps, select, type Started, type Step } from "./schedule.js";
import { steps } from "./steps.js";
import { stepTable } from "./table.js";

const root = join(import.meta.dirname, "../..");
/** How many characters of the output of a failed step are repeated. */
const endLength = 1_500;
const since = performance.now();
const running = new Map<Step, Started>();

let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    isStopping = true;
    void Promise.all(Array.from(running.values(), (one) => one.abort())).finally(() => process.exit(1));
  });

const selected = select(steps, process.argv.slice(2));
const outcomes = await runSteps(selected, {
  start(step) {
    const started = startCommand(step.command, root);
    running.set(step, started);
    return started;
  },
  isStopping: () => isStopping,
  began: ({ name }) => console.log(`-- ${clock()} ${name} begins`),
  ended(outcome) {
    running.delete(outcome.step);
    printOutcome(outcome);
  },
});

console.log(`\n${stepTable(outcomes, (performance.now() - since) / 1_000)}`);
const ran = new Set(outcomes.map(({ step }) => step));
for (const step of selected)
  if (!ran.has(step)) console.log(`\nNOT RUN, because a step that it needs failed: ${step.name}`);
const failed = outcomes.filter(({ passed }) => !passed);
for (const { step, seconds, output } of failed) {
  // The ends are repeated here, because some viewers of logs show only the last lines.
  console.log(`\nFAILED: ${step.name}, after ${seconds.toFixed(0)} s. Its output ends with:\n${endOf(output)}`);
}
if (failed.length > 0) process.exitCode = 1;

function printOutcome({ step, seconds, passed, output }: Outcome): void {
  console.log(`\n== ${step.name}: ${passed ? "passed" : "FAILED"} after ${seconds.toFixed(0)} s (${step.command})`);
  if (output !== "") console.log(output.trimEnd());
  console.log("");
}

function endOf(output: string): string {
  return stripVTControlCharacters(output).trimEnd().slice(-endLength);
}

function clock(): string {
  const seconds = Math.round((performance.now() - since) / 1_000);
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}
