/**
 * Runs the official conformance suite against our fixtures: `npm run conformance -- [--role server|client|authorization]
 * [--revision R] [--scenario S] [--nodes N] [--gateway stdio|http] [--write]`. Each scenario runs alone, and fails unless it passes without
 * warnings. The server scenarios run once more with authorization on, with `--nodes 3` also at three nodes with Redis behind a proxy that
 * passes each request to the next node, and with `--gateway` through a gateway that reaches the fixture server over stdio or HTTP (repeat the
 * option for both); all must have the same results. `auth/*` selects the scenarios with a prefix. A run of all scenarios also compares the
 * documents with its results, or writes them, with `--write`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { outdatedDocuments, writeDocuments } from "./document.js";
import { buildFixtures } from "./fixtures.js";
import { links } from "./gateway-run.js";
import { excuses, omissions, problems, skips, summary, table } from "./report.js";
import { runJobs } from "./run-jobs.js";
import { isLeftOut, listJobs } from "./scenarios.js";
import { findSuite } from "./suite.js";
import { isFailed } from "./verdict.js";

const { values } = parseArgs({
  options: {
    role: { type: "string" },
    revision: { type: "string" },
    scenario: { type: "string" },
    nodes: { type: "string", default: "1" },
    gateway: { type: "string", multiple: true, default: [] },
    write: { type: "boolean", default: false },
  },
});

const nodes = Number(values.nodes);
if (!Number.isInteger(nodes) || nodes < 1) throw new Error(`--nodes must be a number of nodes, not ${values.nodes}`);
const gateways = values.gateway.map((value) => {
  const link = links.find((one) => one === value);
  if (!link) throw new Error(`--gateway must be one of ${links.join(", ")}, not ${value}`);
  return link;
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
const { verdicts, again } = await runJobs(suite, results, jobs, { nodes, gateways });
const failed = [...verdicts, ...[...again.values()].flat()].some(isFailed);

console.log(`@modelcontextprotocol/conformance ${suite.version}; passed checks by scenario and revision\n`);
const repeated = [...again];
const parts = [
  table(verdicts),
  ...repeated.map(([how, some]) => excuses(some, ` ${how}`)),
  skips(verdicts),
  omissions(all.filter(isLeftOut)),
  [summary(verdicts), ...repeated.map(([how, some]) => summary(some, ` ${how}`))].join("").trimEnd(),
  // At the end, where a reader of a long log looks first.
  problems(verdicts),
  ...repeated.map(([how, some]) => problems(some, ` ${how}`)),
];
for (const part of parts) if (part !== "") console.log(`${part}\n`);
console.log(`${((performance.now() - start) / 1_000).toFixed(1)} s`);
if (failed) {
  console.log(`The output of the suite and of the fixture servers is in ${results}`);
  process.exitCode = 1;
} else {
  rmSync(results, { recursive: true });
  if (jobs.length === all.filter((job) => !isLeftOut(job)).length) await compareDocuments();
}

async function compareDocuments(): Promise<void> {
  if (values.write) return writeDocuments(verdicts, suite.version);
  const outdated = await outdatedDocuments(verdicts, suite.version);
  for (const path of outdated) console.log(`${path} does not match these results: run npm run conformance -- --write`);
  if (outdated.length > 0) process.exitCode = 1;
}

function matches(value: string, pattern: string | undefined): boolean {
  return pattern?.endsWith("*") === true ? value.startsWith(pattern.slice(0, -1)) : (pattern ?? value) === value;
}
