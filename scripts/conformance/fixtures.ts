import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { builtFixtures, fixtures, root } from "./paths.js";
import { npmCommand } from "../npm.js";

/** Bundles the fixtures from the packages, as users would. Builds the packages first when they are not built. */
export async function buildFixtures(): Promise<void> {
  if (!existsSync(join(root, "runtime/dist/node.js")))
    execFileSync(...npmCommand(["run", "--silent", "build"]), {
      cwd: root,
      stdio: ["ignore", process.stderr, "inherit"],
    });
  await build({
    absWorkingDir: root,
    entryPoints: ["server", "gateway", "client"].map((name) => join(fixtures, `${name}.ts`)),
    outdir: builtFixtures,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // The runtime imports cross-spawn only when it is installed; redis and yaml require modules of Node at run time.
    external: ["cross-spawn", "redis", "yaml"],
    logLevel: "warning",
  });
}
