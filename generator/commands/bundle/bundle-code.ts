import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Esbuild from "esbuild";
import { diagnostic, type Diagnostic, DiagnosticError, fail } from "../../shared/diagnostics/diagnostic.js";
import { packageRoot } from "../../shared/package-root.js";
import { resolveFrom } from "../../shared/project/resolve-from.js";
import { leastNode } from "./node-range.js";

export interface CodeSource {
  readonly folder: string;
  /** Absolute. */
  readonly entry: string;
  /** Packages that the bundle has as files. */
  readonly external: readonly string[];
  /** The range of versions of Node that the package states. */
  readonly node: string | undefined;
  readonly onFinding: (finding: Diagnostic) => void;
}

/**
 * Puts the entry and everything that it imports into one ES module, with esbuild: that of the project, or one that is installed beside
 * mcpwright.
 * @throws DiagnosticError bundle-esbuild-missing, bundle-native-module, bundle-failed
 */
export async function bundleCode({ folder, entry, external, node, onFinding }: CodeSource): Promise<string> {
  const { build } = await loadEsbuild(findEsbuild(folder));
  const native = new Map<string, string>();
  const version = node === undefined ? undefined : leastNode(node);
  let result: Esbuild.BuildResult<{ write: false; metafile: true }>;
  try {
    result = await build({
      absWorkingDir: folder,
      entryPoints: [entry],
      bundle: true,
      platform: "node",
      format: "esm",
      // ES modules lack these two, which CommonJS modules use.
      define: { __dirname: "import.meta.dirname", __filename: "import.meta.filename" },
      external: external.flatMap((name) => [name, `${name}/*`]),
      plugins: [nativeModules(folder, native)],
      write: false,
      metafile: true,
      logLevel: "silent",
      ...(version !== undefined && { target: `node${version}` }),
    });
  } catch (error) {
    const errors = failuresOf(error);
    if (native.size === 0 && errors === undefined) throw error;
    throw new DiagnosticError([...nativeProblems(native), ...(errors ?? []).map(problemOf)]);
  }
  if (native.size > 0) throw new DiagnosticError(nativeProblems(native));
  for (const finding of ownFileFindings(folder, entry, Object.keys(result.metafile.inputs))) onFinding(finding);
  return withRequire(result.outputFiles[0]?.text ?? "");
}

/** @param own the folder of mcpwright @throws DiagnosticError bundle-esbuild-missing */
export function findEsbuild(folder: string, own = packageRoot().folder): string {
  const paths = [folder, own].map((place) => resolveFrom(join(place, "package.json"), "esbuild"));
  return paths.find((path) => path !== undefined) ?? fail("bundle-esbuild-missing", { folder });
}

async function loadEsbuild(path: string): Promise<typeof Esbuild> {
  const loaded = (await import(pathToFileURL(path).href)) as { readonly default?: typeof Esbuild } & typeof Esbuild;
  return loaded.default ?? loaded;
}

/** Packages that load native modules at run time, from paths that no bundler knows. */
const nativeLoaders =
  /^(?:bindings|node-gyp-build|node-gyp-build-optional-packages|@mapbox\/node-pre-gyp|node-pre-gyp)$/;

/** Notes who imports native modules, by package. */
function nativeModules(folder: string, found: Map<string, string>): Esbuild.Plugin {
  return {
    name: "native-modules",
    setup(build) {
      const note = ({ path, importer }: Esbuild.OnResolveArgs): { path: string; external: true } => {
        const file = relative(folder, importer).replaceAll("\\", "/");
        const name = packageOf(file) ?? packageOf(path) ?? file;
        if (!found.has(name)) found.set(name, file);
        return { path, external: true };
      };
      build.onResolve({ filter: /\.node$/ }, note);
      build.onResolve({ filter: nativeLoaders }, note);
    },
  };
}

/** The package that a file in `node_modules` belongs to. */
export function packageOf(path: string): string | undefined {
  return /(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
}

function nativeProblems(native: ReadonlyMap<string, string>): readonly Diagnostic[] {
  return [...native]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, importer]) => diagnostic("bundle-native-module", { name, importer }));
}

/** The errors of a failed build; undefined for other errors. */
function failuresOf(error: unknown): readonly Esbuild.Message[] | undefined {
  return error instanceof Error && "errors" in error ? (error.errors as readonly Esbuild.Message[]) : undefined;
}

function problemOf({ text, location }: Esbuild.Message): Diagnostic {
  const span = location ? { file: location.file, line: location.line, column: location.column + 1 } : undefined;
  const isMissing = text.startsWith("Could not resolve");
  return diagnostic(
    "bundle-failed",
    {
      reason: text.replace(/^Could not/, "could not"),
      remedy: isMissing
        ? "Install what is missing, or correct the import."
        : "Correct the file, or build the project again.",
    },
    span,
  );
}

/** Bundled CommonJS modules call `require` for modules of Node, which ES modules lack. */
function withRequire(text: string): string {
  const code = text.replace(/^#!.*\n/, "");
  if (!/\brequire\b/.test(code)) return code;
  return `import { createRequire as createBundleRequire } from "node:module";\nconst require = createBundleRequire(import.meta.url);\n${code}`;
}

const ownPlace = /\bimport\.meta\.(?:url|dirname|filename)\b|\b__(?:dirname|filename)\b/;

/** Files that find others by their own place, which the bundle changes. Those beside the entry keep it. */
function ownFileFindings(folder: string, entry: string, inputs: readonly string[]): readonly Diagnostic[] {
  const users = new Map<string, string>();
  for (const input of inputs) {
    const path = resolve(folder, input);
    if (!/\.[cm]?[jt]sx?$/.test(path) || dirname(path) === dirname(entry)) continue;
    const code = readFileSync(path, "utf8")
      .replace(/createRequire\(\s*import\.meta\.url\s*\)/g, "")
      .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    const name = packageOf(input) ?? input;
    if (ownPlace.test(code) && !users.has(name)) users.set(name, input);
  }
  return [...users].map(([name, input]) => diagnostic("bundle-own-place", { name, input }));
}
