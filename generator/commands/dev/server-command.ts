import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { packageRoot } from "../../shared/package-root.js";
import { resolveFrom } from "../../shared/project/resolve-from.js";
import type { DevEntry } from "./find-entry.js";
import { compilerOptions, findTsconfig } from "./read-tsconfig.js";

/** What runs the source: Node alone, Node with its own type stripping, or Node with tsx. */
export type SourceRunner =
  { readonly kind: "node" | "type-stripping" } | { readonly kind: "tsx"; readonly loader: string };

/** What this Node can do. */
export interface NodeAbilities {
  readonly version: string;
  /** `process.features.typescript`. */
  readonly typescript: unknown;
}

const thisNode: NodeAbilities = {
  version: process.versions.node,
  typescript: (process.features as { readonly typescript?: unknown }).typescript,
};

/**
 * Chooses what runs the source. JavaScript needs nothing. TypeScript runs with Node's type stripping if this Node has it and the project is
 * written for it: `erasableSyntaxOnly`, and imports that name `.ts` files. Other projects need tsx, because type stripping knows no enums
 * and does not find `./file.ts` for `./file.js`: that of the project, or one that is installed beside mcpwright. Without tsx, type stripping
 * is tried.
 * @throws DiagnosticError dev-tsx-missing
 */
export function chooseRunner({ path, name, folder }: DevEntry, node = thisNode): SourceRunner {
  const extension = extname(path);
  if (extension.endsWith("js")) return { kind: "node" };
  const canStrip = Boolean(node.typescript) && extension !== ".tsx";
  if (canStrip && isWrittenForStripping(path, folder)) return { kind: "type-stripping" };
  const loader = resolveFrom(path, "tsx") ?? resolveFrom(join(packageRoot().folder, "package.json"), "tsx");
  if (loader !== undefined) return { kind: "tsx", loader };
  if (canStrip) return { kind: "type-stripping" };
  return fail("dev-tsx-missing", { path: name, version: node.version, folder });
}

/** The arguments of Node. @param inspectPort the port of the debugger; 0 for any free one */
export function nodeArguments(
  entry: DevEntry,
  args: readonly string[],
  runner: SourceRunner,
  inspectPort?: number,
): readonly string[] {
  return [
    ...(inspectPort === undefined ? [] : [`--inspect=${inspectPort}`]),
    ...runnerOptions(runner),
    entry.path,
    ...args,
  ];
}

function runnerOptions(runner: SourceRunner): readonly string[] {
  switch (runner.kind) {
    case "tsx":
      return ["--import", pathToFileURL(runner.loader).href];
    case "type-stripping":
      return ["--disable-warning=ExperimentalWarning"];
    case "node":
      // For code that a compiler has written.
      return ["--enable-source-maps"];
  }
}

function isWrittenForStripping(path: string, folder: string): boolean {
  const config = findTsconfig(path, folder);
  if (config === undefined) return false;
  const options = compilerOptions(config);
  const namesSources =
    options["allowImportingTsExtensions"] === true || options["rewriteRelativeImportExtensions"] === true;
  return options["erasableSyntaxOnly"] === true && namesSources;
}
