/**
 * Counts the hand-written code that runs in users' programs, and the bytes of the smallest programs' bundles: `npm run size`.
 * It also prints the last results of `npm run bench:types`. Fails when a figure exceeds its goal.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleSize } from "./bundle.js";
import { count } from "./count.js";
import { programs } from "./programs.js";
import { authorizationGoals, meetsGoals, report } from "./report.js";
import { authorization, core, root, sourcesOf } from "./source.js";

const counts = await Promise.all(core.flatMap(sourcesOf).map(count));
const authorizationCounts = await Promise.all(authorization.flatMap(sourcesOf).map(count));

console.log(report(counts));
console.log(
  `\nAuthorization, which only programs that log in contain:\n\n${report(authorizationCounts, authorizationGoals)}`,
);
console.log("\nBundles, minified and gzipped:");
for (const { name, text, most } of Object.values(programs)) {
  const { gzipped } = await bundleSize(text, root);
  console.log(`  ${name}: ${gzipped.toLocaleString("en")} bytes (at most ${most.toLocaleString("en")})`);
  if (gzipped > most) process.exitCode = 1;
}
console.log(`\n${typeCosts()}`);
if (!meetsGoals(counts) || !meetsGoals(authorizationCounts, authorizationGoals)) process.exitCode = 1;

function typeCosts(): string {
  const path = join(root, "bench/results/types.json");
  if (!existsSync(path)) return "The cost of the types has not been measured: run npm run bench:types.";
  const { goals } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly goals: readonly { readonly goal: string; readonly most: number; readonly measured: number }[];
  };
  const lines = goals.map(
    ({ goal, most, measured }) => `  ${goal}: ${measured.toFixed(2)} (at most ${most.toFixed(2)})`,
  );
  return ["Cost of the types for users (bench/results/types.md):", ...lines].join("\n");
}
