/** Measures the heap that open streams and idle sessions hold, writes the results, and fails when a goal is missed. */
import { resolve } from "node:path";
import { type Goal, goal } from "../../shared/goal.js";
import { machine, publish, quick } from "../../shared/results.js";
import { makeStage } from "../../shared/stage.js";
import { goalTable, table } from "../../shared/tables.js";
import { type Held, measureHeld, scenarios } from "./scenarios.js";

const count = quick ? 500 : 10_000;
const stage = await makeStage(resolve(import.meta.dirname, ".."));
try {
  const rows: Held[] = [];
  for (const scenario of scenarios) rows.push(await measureHeld(stage, scenario, count));
  const goals: readonly Goal[] = rows.flatMap(({ name, bytesEach, most }) =>
    most === undefined ? [] : [goal(`${name}: heap bytes of each of ${count.toLocaleString("en")}`, most, bytesEach)],
  );
  const lines = [
    "# Heap of open streams and sessions",
    "",
    `${machine}. Heap size after a forced garbage collection with ${count.toLocaleString("en")} of each open, minus the size with ` +
      "the first tenth open. The streams hold a socket and the objects of Node's HTTP server each, as the floor does.",
    "",
    "## Goals",
    "",
    ...goalTable(goals),
    "",
    "## Heap bytes of each",
    "",
    ...table(
      ["", "bytes"],
      rows.map(({ name, bytesEach }) => [name, bytesEach.toFixed(0)]),
    ),
    "",
  ];
  await publish("open-http", lines, { node: process.versions.node, rows, goals });
} finally {
  stage.remove();
}
