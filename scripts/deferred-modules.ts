import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "esbuild";

const namespace = "deferred";

/**
 * Defers the module that another one imports and returns from its only function: to the first call of the function.
 * The bundle has a copy of the deferred module and of all that it imports from the package. Other modules, which import them as
 * usual, keep theirs, from which bundlers of users drop what a program does not need.
 *
 * @param root the folder to which the bundle's comments refer
 */
export function deferredModule(root: string, loader: string): Plugin {
  const source = readFileSync(loader, "utf8");
  const [, path] = /^import \* as \w+ from "(\..+)";$/m.exec(source) ?? [];
  const [, name] = /^export function (\w+)\(\)/m.exec(source) ?? [];
  if (path === undefined || name === undefined)
    throw new Error(`${loader} must import one module as a namespace, and return it from an exported function`);
  return {
    name: "deferred-module",
    setup(build) {
      build.onLoad({ filter: /\.ts$/, namespace: "file" }, (args) =>
        args.path === loader
          ? { contents: `export function ${name}() { return require(${JSON.stringify(path)}); }`, loader: "js" }
          : undefined,
      );
      build.onResolve({ filter: /^\./ }, ({ path, importer, resolveDir, namespace: from }) =>
        from === namespace || importer === loader
          ? // Bundles name the path in comments.
            { path: relative(root, resolve(resolveDir, path.replace(/\.js$/, ".ts"))), namespace }
          : undefined,
      );
      build.onLoad({ filter: /\.ts$/, namespace }, ({ path }) => ({
        contents: readFileSync(join(root, path), "utf8"),
        loader: "ts",
        resolveDir: dirname(join(root, path)),
      }));
    },
  };
}
