import { readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { build, type Plugin } from "esbuild";
import type { Entry } from "./entries.js";

/**
 * Bundles the modules that `shared` exports only there: other entries import that bundle. An entry that is itself one of them
 * exports its names from there. Bundlers of users drop the functions that a program does not need.
 */
export function sharedCode(shared: Entry, self: Entry): Plugin {
  const lines = readFileSync(shared.source, "utf8").matchAll(/^export \* from "(.+)\.js";$/gm);
  const modules = new Set(Array.from(lines, ([, path = ""]) => resolve(dirname(shared.source), `${path}.ts`)));
  const path = relative(dirname(self.output), shared.output).split(sep).join("/");
  const bundle = { path: path.startsWith(".") ? path : `./${path}`, external: true, sideEffects: false };
  return {
    name: "shared-code",
    setup(host) {
      host.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        if (path === bundle.path) return bundle;
        const source = resolve(resolveDir, path.replace(/\.js$/, ".ts"));
        if (!modules.has(source)) return undefined;
        return self === shared ? { path: source, sideEffects: false } : bundle;
      });
      if (modules.has(self.source))
        host.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
          contents: `export { ${(await exportsOf(path)).join(", ")} } from "${bundle.path}";`,
        }));
    },
  };
}

async function exportsOf(source: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [source],
    bundle: true,
    format: "esm",
    metafile: true,
    write: false,
  });
  return Object.values(metafile.outputs).flatMap(({ exports }) => exports);
}
