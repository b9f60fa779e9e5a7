/** Measures servers and clients on stdio against their peers, writes the results and fails when a goal is missed. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { measureColdStart } from "./cold-start.js";
import { goalsOf, type Measured } from "./goals.js";
import { measureClients } from "./measure-clients.js";
import { type Effort, measureLists, measureServers } from "./measure-servers.js";
import { jsonOf, markdownOf, type Results } from "./report.js";
import { makeStage, type Stage } from "./stage.js";
import { packages } from "./subjects.js";
import { measureBundles, measureInstalls } from "./weight.js";

/** `--quick` shows whether everything still runs; its figures say little. */
const quick = process.argv.includes("--quick");
const effort: Effort = quick
  ? { rounds: 3, sampleMs: 60, warmUpMs: 150 }
  : { rounds: 11, sampleMs: 200, warmUpMs: 800 };
const results = new URL("../results/", import.meta.url);

const stage = await makeStage();
try {
  const measured = await measure(stage);
  const goals = goalsOf(measured);
  const all: Results = {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    versions: versions(),
    rounds: effort.rounds,
    goals,
    ...measured,
  };
  const markdown = await markdownOf(all);
  console.log(markdown);
  if (!quick) {
    mkdirSync(results, { recursive: true });
    writeFileSync(new URL("stdio.md", results), markdown);
    writeFileSync(new URL("stdio.json", results), await jsonOf(all));
  }
  if (!goals.every(({ met }) => met)) process.exitCode = 1;
} finally {
  stage.remove();
}

async function measure(where: Stage): Promise<Measured> {
  return {
    bundles: await measureBundles(where),
    installs: measureInstalls(where),
    starts: await measureColdStart(where, quick ? 3 : 15),
    servers: await measureServers(where, effort),
    lists: await measureLists(where, effort),
    clients: await measureClients(where, effort),
  };
}

function versions(): Readonly<Record<string, string>> {
  const names = ["zod", ...Object.values(packages).flat()];
  return Object.fromEntries(
    names.map((name) => {
      const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
      return [name, (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version];
    }),
  );
}
