import { build } from "esbuild";
import { join } from "node:path";
import { builtFolder, hostsFolder, root } from "./paths.js";

/** Bundles the suite and the servers from the built packages, as users would. Only the servers for Node may import Node modules. */
export async function buildForHosts(): Promise<void> {
  const bundle = (platform: "node" | "neutral", names: readonly string[]): Promise<unknown> =>
    build({
      absWorkingDir: root,
      entryPoints: names.map((name) => join(hostsFolder, `${name}.ts`)),
      outdir: builtFolder,
      bundle: true,
      format: "esm",
      platform,
      target: "es2022",
      logLevel: "warning",
    });
  await Promise.all([
    bundle("node", ["node-http", "node-fetch", "node-hono-1", "node-hono-2"]),
    bundle("neutral", ["bun", "deno", "worker", "client", "client-worker", "client-page"]),
  ]);
}
