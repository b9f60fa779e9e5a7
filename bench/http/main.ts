/** Measures servers on Streamable HTTP against their peers, writes the results, and fails when a goal is missed. */
import { effort } from "../shared/effort.js";
import { publish, versionsOf } from "../shared/results.js";
import { makeStage } from "../shared/stage.js";
import { goalsOf } from "./goals.js";
import { measureServers } from "./measure.js";
import { linesOf, type Results } from "./report.js";
import { packages } from "./subjects.js";
import { measureBundles } from "./weight.js";

const stage = await makeStage(import.meta.dirname);
try {
  const bundles = await measureBundles(stage);
  const servers = await measureServers(stage, effort);
  const all: Results = {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    versions: versionsOf(packages),
    rounds: effort.rounds,
    slices: effort.slices,
    goals: goalsOf(servers, bundles),
    servers,
    bundles,
  };
  await publish("http", linesOf(all), all);
} finally {
  stage.remove();
}
