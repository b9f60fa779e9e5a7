/** No request over HTTP starts a process: the entries for HTTP servers contain nothing that could. */
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** The modules outside of the bundle that a program with this entry imports, statically or not. */
async function importsOf(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: `export * from ${JSON.stringify(entry)};`, resolveDir: join(import.meta.dirname, "../../..") },
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["oidc-provider", "oauth4webapi", "jose"],
    metafile: true,
    write: false,
  });
  return Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
}

const processes = /^(?:node:)?(?:child_process|cluster|worker_threads|vm)$/;

test.each(["server", "server/http", "node", "auth/server", "auth/proxy"])("%s", async (entry) => {
  expect((await importsOf(`@mcpwright/runtime/${entry}`)).filter((name) => processes.test(name))).toEqual([]);
});

// The ones that do, so that the test can fail.
test.each(["stdio", "auth/node"])("%s starts processes of its user's choice", async (entry) => {
  expect(await importsOf(`@mcpwright/runtime/${entry}`)).toContain("node:child_process");
});
