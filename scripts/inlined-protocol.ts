import { basename, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

const generated = resolve(import.meta.dirname, "../generated");

/**
 * Bundles entries of `@mcpwright/protocol` instead of importing them, such as `names`, of which only the used constants remain,
 * and the entries that contain all revisions.
 * @param predicates bundles the predicates of all revisions
 */
export function inlinedProtocol(entries: readonly string[], predicates: Plugin): Plugin {
  return {
    name: "inlined-protocol",
    setup(host) {
      host.onResolve({ filter: /^@mcpwright\/protocol\// }, ({ path }) => {
        const entry = basename(path);
        return entries.includes(entry) ? { path: resolve(generated, `${entry}.ts`) } : undefined;
      });
      host.onLoad({ filter: /[\\/]generated[\\/](server-sides|server-issues|conversions)\.ts$/ }, async ({ path }) => ({
        contents: await compressed(path, predicates),
        loader: "js",
      }));
    },
  };
}

async function compressed(path: string, predicates: Plugin): Promise<string> {
  const { outputFiles } = await build({
    bundle: true,
    entryPoints: [path],
    format: "esm",
    minify: true,
    plugins: [predicates],
    target: "node20",
    write: false,
  });
  return outputFiles.map(({ text }) => text).join("");
}
