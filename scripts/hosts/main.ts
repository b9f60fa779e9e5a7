/**
 * Tests the same behaviours on every host: `npm run test:hosts -- [part of a host's name]...`. Each host serves a client on Node,
 * and calls a server on Node. Fails when a behaviour fails on a host.
 */
import { buildForHosts } from "./build.js";
import { listPairs, type Pair } from "./pairs.js";
import { installPinned } from "../pinned.js";
import { hostsFolder } from "./paths.js";
import { omissions, type Outcome, problems, table, type Verdict } from "./report.js";

/** The time-out of one pair, in milliseconds. */
const patienceMs = 60_000;

const start = performance.now();
installPinned(hostsFolder);
await buildForHosts();
const wanted = process.argv.slice(2);
const pairs = listPairs().filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
if (pairs.length === 0) throw new Error(`no host matches ${wanted.join(", ")}`);

const verdicts: Verdict[] = [];
for (const pair of pairs) verdicts.push(await verdictOn(pair));
console.log(table(verdicts));
for (const part of [omissions(verdicts), problems(verdicts)]) if (part !== "") console.log(`\n${part}`);
console.log(`${((performance.now() - start) / 1_000).toFixed(1)} s`);
process.exit(verdicts.some(({ outcomes }) => outcomes.length === 0 || outcomes.some(({ problem }) => problem)) ? 1 : 0);

async function verdictOn({ name, role, leftOut, tryIt }: Pair): Promise<Verdict> {
  const since = performance.now();
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`not done after ${patienceMs} ms`)), patienceMs).unref();
  });
  const outcomes = await Promise.race([tryIt(), late]).catch((error: unknown): readonly Outcome[] => [
    { behaviour: "runs the suite", revision: "any", problem: String(error) },
  ]);
  return { name, role, leftOut, outcomes, seconds: (performance.now() - since) / 1_000 };
}
