import { basename, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { sharedPredicates } from "./shared-predicates.js";

const generated = resolve(import.meta.dirname, "../generated");

/**
 * Takes entries of `@mcpwright/protocol` into a bundle instead of importing them: `names`, whose constants disappear in the
 * code that uses them, and what holds all revisions, with each predicate once.
 */
export function inlinedProtocol(entries: readonly string[]): Plugin {
  return {
    name: "inlined-protocol",
    setup(host) {
      host.onResolve({ filter: /^@mcpwright\/protocol\// }, ({ path }) => {
        const entry = basename(path);
        return entries.includes(entry) ? { path: resolve(generated, `${entry}.ts`) } : undefined;
      });
      host.onLoad({ filter: /[\\/]generated[\\/](server-sides|conversions)\.ts$/ }, async ({ path }) => ({
        contents: await compressed(path),
        loader: "js",
      }));
    },
  };
}

async function compressed(path: string): Promise<string> {
  const { outputFiles } = await build({
    bundle: true,
    entryPoints: [path],
    format: "esm",
    minify: true,
    plugins: [sharedPredicates()],
    target: "node20",
    write: false,
  });
  return outputFiles.map(({ text }) => text).join("");
}
