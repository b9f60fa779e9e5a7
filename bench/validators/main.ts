/** Times our predicates against their peers, writes the results, and fails when a goal is missed. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type Engine, type Revision, revisions } from "./contract.js";
import { ajv, ajvStandalone, mcpwright, sdk1, sdk2, typebox, typebox1, typia } from "./engines/index.js";
import { rowOf } from "./figures.js";
import { missedGoals } from "./goals.js";
import { measure } from "./measure.js";
import { casesOf } from "./messages/cases.js";
import { type Example, officialExamples } from "./messages/official.js";
import { jsonOf, markdownOf, type Results } from "./report.js";
import { type Contest, contestOf, type Loaded, streamOf } from "./runners.js";

const engines: readonly Engine[] = [mcpwright, ajv, ajvStandalone, typebox, typebox1, typia, sdk1, sdk2];
const ours = mcpwright.name;
const folder = new URL("../results/", import.meta.url);

const contests = await Promise.all(revisions.map(contestsOf));
const rows = measure(contests.flat()).map((done) => rowOf(done, ours));

const results: Results = {
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
  versions: Object.fromEntries(engines.map(({ name, packageName }) => [name, versionOf(packageName)])),
  rows,
  missed: rows.flatMap((row) => missedGoals(row, ours)),
};
const markdown = await markdownOf(results, ours);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("validators.md", folder), markdown);
writeFileSync(new URL("validators.json", folder), await jsonOf(results));
console.log(markdown);
if (results.missed.length > 0) process.exitCode = 1;

async function contestsOf(revision: Revision): Promise<readonly Contest[]> {
  const cases = casesOf(revision);
  const examples = revision === "2026-07-28" ? officialExamples() : [];
  const loaded = await loadAll(revision, [...cases, ...examples]);
  const stream = examples.length > 0 ? [streamOf(revision, examples, loaded)] : [];
  return [...cases.map((message) => contestOf(revision, message, loaded)), ...stream];
}

async function loadAll(revision: Revision, needed: readonly Pick<Example, "definition">[]): Promise<readonly Loaded[]> {
  const definitions = [...new Set(needed.map(({ definition }) => definition))].sort();
  const loaded: Loaded[] = [];
  for (const engine of engines) loaded.push({ engine, predicates: await engine.load(revision, definitions) });
  return loaded;
}

function versionOf(packageName: string): string {
  const file = new URL(`../node_modules/${packageName}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}
