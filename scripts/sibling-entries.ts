import { dirname, relative, resolve, sep } from "node:path";
import type { Plugin } from "esbuild";
import type { Entry } from "./entries.js";

/**
 * Keeps an import of another entry of the same package as an import of that entry's bundle.
 * A module that is bundled into both would exist twice: `instanceof` would fail for its classes, and its state would be split.
 */
export function siblingEntries(entries: readonly Entry[], self: Entry): Plugin {
  const siblings = new Map(entries.filter((entry) => entry !== self).map((entry) => [entry.source, entry]));
  return {
    name: "sibling-entries",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const sibling = siblings.get(resolve(resolveDir, path.replace(/\.js$/, ".ts")));
        if (!sibling) return undefined;
        const specifier = relative(dirname(self.output), sibling.output).split(sep).join("/");
        return { path: specifier.startsWith(".") ? specifier : `./${specifier}`, external: true };
      });
    },
  };
}
