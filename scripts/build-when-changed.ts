/**
 * `npm run build`: writes declarations with `tsc -b`, and bundles with `build.ts`. Does nothing when neither sources nor results
 * have changed since the last build, so that scripts that need a build can run in parallel.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { digestOf } from "./build-digest.js";

const root = resolve(import.meta.dirname, "..");
const stamp = join(root, "node_modules/.cache/build.txt");

if (existsSync(stamp) && readFileSync(stamp, "utf8") === digestOf(root)) console.log("the build is current");
else {
  const run = (script: string, ...args: readonly string[]): void => {
    execFileSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: "inherit" });
  };
  run("node_modules/typescript/bin/tsc", "-b", "tsconfig.generator.json", "generated", "runtime", "compat");
  run("node_modules/tsx/dist/cli.mjs", "scripts/build.ts");
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digestOf(root));
}
