/**
 * Runs the official conformance suite against our fixtures: `npm run conformance -- [--role server|client] [--revision R]
 * [--scenario S]`. Each scenario runs alone, and fails unless it passes without warnings. `auth/*` selects those with a prefix.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startFixtureServer } from "./fixture-server.js";
import { buildFixtures } from "./fixtures.js";
import { omissions, problems, skips, summary, table } from "./report.js";
import { runScenario, type Stage, type Verdict } from "./run-scenario.js";
import { isLeftOut, type Job, listJobs } from "./scenarios.js";
import { findSuite } from "./suite.js";

const { values } = parseArgs({
  options: { role: { type: "string" }, revision: { type: "string" }, scenario: { type: "string" } },
});

const start = performance.now();
const suite = findSuite();
await buildFixtures();
const all = listJobs(suite);
const jobs = all.filter(
  (job) =>
    !isLeftOut(job) && (["role", "revision", "scenario"] as const).every((key) => matches(job[key], values[key])),
);
if (jobs.length === 0) throw new Error(`the suite has no scenario with ${JSON.stringify(values)}`);

const results = mkdtempSync(join(tmpdir(), "mcpwright-conformance-"));
const server = await startFixtureServer(join(results, "server.txt"));
const verdicts = await runAll({ suite, url: server.url, results }, jobs).finally(() => server.end());
const failed = verdicts.some((verdict) => verdict.problems.length > 0);

console.log(`@modelcontextprotocol/conformance ${suite.version}; passed checks by scenario and revision\n`);
for (const part of [table(verdicts), problems(verdicts), skips(verdicts), omissions(all.filter(isLeftOut))])
  if (part !== "") console.log(`${part}\n`);
console.log(summary(verdicts, (performance.now() - start) / 1_000));
if (failed) {
  console.log(`The output of the suite and of the fixture server is in ${results}`);
  process.exitCode = 1;
} else rmSync(results, { recursive: true });

function matches(value: string, pattern: string | undefined): boolean {
  return pattern?.endsWith("*") === true ? value.startsWith(pattern.slice(0, -1)) : (pattern ?? value) === value;
}

/** Runs two jobs at a time. @returns the results, in the order of the jobs */
async function runAll(stage: Stage, jobs: readonly Job[]): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  const queue = [...jobs.entries()];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) verdicts[next[0]] = await runScenario(stage, next[1]);
  };
  await Promise.all([work(), work()]);
  return verdicts;
}
