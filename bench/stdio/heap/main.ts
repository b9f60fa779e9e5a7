/** Looks for leaks: how much more a connection holds after many calls. Fails when it is too much. */
import { mkdirSync, writeFileSync } from "node:fs";
import { goal } from "../goals.js";
import { goalTable, jsonOf, printed } from "../report.js";
import { makeStage } from "../stage.js";
import { type Growth, growthOfClient, growthOfServer, scenarios } from "./growth.js";

const mostBytesPerCall = 100;
const longestMs = 600_000;

/** `--quick` makes a twentieth of the calls; what a connection holds anyway then looks like growth. */
const quick = process.argv.includes("--quick");
const scale = quick ? 0.05 : 1;
const results = new URL("../../results/", import.meta.url);

setTimeout(() => {
  console.error(`not done after ${longestMs / 1_000} s`);
  process.exit(1);
}, longestMs).unref();

const stage = await makeStage();
try {
  const growths: Growth[] = [];
  for (const scenario of scenarios(scale)) growths.push(await growthOfServer(stage, scenario));
  growths.push(await growthOfClient(stage, "answered", 1_000_000 * scale));
  growths.push(await growthOfClient(stage, "timed out", 100_000 * scale));
  growths.push(await growthOfClient(stage, "cancelled", 100_000 * scale));
  const goals = growths.map(({ name, calls, bytesPerCall }) =>
    goal(`${name}: bytes per call after ${calls.toLocaleString("en")} calls`, mostBytesPerCall, bytesPerCall),
  );
  const markdown = await printed([
    "# Heap growth",
    "",
    `Node ${process.versions.node}, ${process.platform} ${process.arch}. What is on the heap after a forced collection, ` +
      "less what was there after the first tenth of the calls; in processes of their own, over stdio.",
    "",
    ...goalTable(goals),
    "",
  ]);
  console.log(markdown);
  if (!quick) {
    mkdirSync(results, { recursive: true });
    writeFileSync(new URL("heap.md", results), markdown);
    writeFileSync(new URL("heap.json", results), await jsonOf({ node: process.versions.node, growths, goals }));
  }
  if (!goals.every(({ met }) => met)) process.exitCode = 1;
} finally {
  stage.remove();
}
