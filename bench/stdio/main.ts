/** Measures servers and clients on stdio against their peers, writes the results, and fails when a goal is missed. */
import { effort } from "../shared/effort.js";
import { publish, quick, versionsOf } from "../shared/results.js";
import { makeStage, type Stage } from "../shared/stage.js";
import { measureColdStart } from "./cold-start.js";
import { goalsOf, type Measured } from "./goals.js";
import { measureClients } from "./measure-clients.js";
import { measureLists } from "./measure-lists.js";
import { measureServers } from "./measure-servers.js";
import { linesOf, type Results } from "./report.js";
import { packages } from "./subjects.js";
import { measureBundles, measureInstalls } from "./weight.js";

const stage = await makeStage(import.meta.dirname);
try {
  const measured = await measure(stage);
  const goals = goalsOf(measured);
  const all: Results = {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    versions: versionsOf(packages),
    rounds: effort.rounds,
    slices: effort.slices,
    goals,
    ...measured,
  };
  await publish("stdio", linesOf(all), all);
} finally {
  stage.remove();
}

async function measure(where: Stage): Promise<Measured> {
  return {
    bundles: await measureBundles(where),
    installs: measureInstalls(where),
    starts: await measureColdStart(where, quick ? 3 : 41),
    servers: await measureServers(where, effort),
    lists: await measureLists(where, effort),
    clients: await measureClients(where, effort),
  };
}
