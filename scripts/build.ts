/**
 * Bundles the four packages: one ES module per public entry, beside the declarations that `tsc -b` wrote. Also writes the packages
 * that re-export entries of compat under names of their own.
 * Afterwards `dist` contains no file of an older build.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { minify } from "terser";
import { removeDeclarations, trimDeclarations, unreachable } from "./declarations.js";
import { writeApiDigest } from "./api-digest.js";
import { writeAliases } from "./compat/write-aliases.js";
import { deferredModule } from "./deferred-modules.js";
import { entriesOf, type Entry } from "./entries.js";
import { inlinedProtocol } from "./inlined-protocol.js";
import { sharedCode } from "./shared-code.js";
import { sharedModule, sharedPredicates } from "./shared-predicates.js";
import { siblingEntries } from "./sibling-entries.js";

const root = resolve(import.meta.dirname, "..");

const common = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  metafile: true,
  packages: "external",
  target: "node20",
  tsconfig: join(root, "tsconfig.base.json"),
} satisfies BuildOptions;

await bundlePackage(root, "generator", (entries, dist) => bundleTogether(entries, dist));
// Generated code never throws, so stack traces do not show it. Unminified, it would be a third of the installed size.
const predicates = sharedPredicates();
await bundlePackage(join(root, "generated"), ".", (entries) => {
  const shared = { source: sharedModule, output: join(root, "generated/dist/predicates.js"), executable: false };
  return bundleApart([...entries, shared], { minify: true, lineLimit: 160 }, (_entry, siblings) => [
    siblings,
    predicates,
  ]);
});
await bundlePackage(join(root, "runtime"), "src", async (entries) => {
  // The code that both JSON Schema validators need is published once; so is that of both ends of a frame.
  const inner = [
    "schema/bounds",
    "apps/bridge/frame-connection",
    "apps/bridge/frame-messages",
    "apps/bridge/post-message-transport",
  ].map((name) => ({
    source: join(root, `runtime/src/${name}.ts`),
    output: join(root, `runtime/dist/${name}.js`),
    executable: false,
  }));
  const shared = {
    source: join(root, "runtime/src/shared.ts"),
    output: join(root, "runtime/dist/shared.js"),
    executable: false,
  };
  const outputs = await bundleApart([...entries, ...inner, shared], { minifySyntax: true }, (entry, siblings) => [
    sharedCode(shared, entry),
    siblings,
    inlinedProtocol(
      isServer(entry) ? ["names", "server-sides", "server-issues", "conversions"] : ["names"],
      predicates,
    ),
  ]);
  await Promise.all(outputs.map(compact));
  return outputs;
});

await bundlePackage(join(root, "compat"), "src", async (entries, dist) => {
  const deferred = deferredModule(root, join(root, "compat/src/shared/spec-schemas.ts"));
  const outputs = await bundleTogether(entries, dist, [deferred]);
  // Programs log the names of the constructors of errors.
  for (const path of outputs.filter((one) => one.endsWith(".js")))
    writeFileSync(path, withClassNames(readFileSync(path, "utf8")).text);
  return outputs;
});
writeApiDigest(join(root, "runtime"));
writeAliases(root);
await bundlePage("generator/commands/inspect/app/page/host-page.ts", "app-host.js");
await bundlePage("generator/commands/dev/page/browser/dev-page.ts", "dev.js");

/** Bundles the script of a page that a command shows in browsers, with the parts of the runtime that it uses. */
async function bundlePage(source: string, name: string): Promise<void> {
  await outputsOf({
    packages: "bundle",
    platform: "browser",
    minify: true,
    target: "es2022",
    entryPoints: [join(root, source)],
    outfile: join(root, "dist/pages", name),
  });
  console.log(`dist/pages/${name}`);
}

type Bundler = (entries: readonly Entry[], dist: string) => Promise<string[]>;

async function bundlePackage(folder: string, sourceFolder: string, bundle: Bundler): Promise<void> {
  const sources = resolve(folder, sourceFolder);
  const dist = join(folder, "dist");
  const entries = entriesOf(folder, sources);
  const outputs = await bundle(entries, dist);
  entries.filter(({ executable }) => executable).forEach(makeExecutable);
  prune(dist, sources, new Set(outputs));
  trimDeclarations(dist);
  removeDeclarations(dist, unreachable(dist, entries));
  for (const { output } of entries) console.log(relative(root, output));
}

/** Bundles a package. Code that its entries share is a chunk; modules that it imports dynamically are loaded when needed. */
async function bundleTogether(entries: readonly Entry[], dist: string, plugins: Plugin[] = []): Promise<string[]> {
  const entryPoints = entries.map(({ source, output }) => ({ in: source, out: relative(dist, output).slice(0, -3) }));
  return outputsOf({
    platform: "node",
    sourcemap: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    entryPoints,
    outdir: dist,
    plugins,
  });
}

/** Bundles a library, with one file per entry. Source maps are left out: they would be most of the installed size. */
async function bundleApart(
  entries: readonly Entry[],
  layout: BuildOptions,
  pluginsOf: (entry: Entry, siblings: Plugin) => Plugin[],
): Promise<string[]> {
  const bundles = entries.map((entry) =>
    outputsOf({
      ...layout,
      platform: "neutral",
      entryPoints: [entry.source],
      outfile: entry.output,
      plugins: pluginsOf(entry, siblingEntries(entries, entry)),
    }),
  );
  return (await Promise.all(bundles)).flat();
}

/** Whether most servers load this entry. Each client starts a server process, so the code that it loads is in one file. */
function isServer({ output }: Entry): boolean {
  return output === join(root, "runtime/dist/server.js");
}

/** Minifies a module. Names of functions, methods and classes stay for stack traces, and `@__PURE__` comments for bundlers. */
async function compact(path: string): Promise<void> {
  const { text, classes } = withClassNames(readFileSync(path, "utf8"));
  const { code = "" } = await minify(text, {
    module: true,
    compress: false,
    mangle: { keep_classnames: true, keep_fnames: true, reserved: classes },
    format: { ascii_only: true, max_line_len: 160, preserve_annotations: true },
  });
  writeFileSync(path, code);
}

/** esbuild turns classes into variables. A class gets the name of its variable, or of a `_` copy when it references itself. */
function withClassNames(given: string): { readonly text: string; readonly classes: string[] } {
  const classes = Array.from(given.matchAll(/\b(\w+) = class( _\1)?\b/g), ([, name = ""]) => name);
  let text = given;
  for (const name of classes) text = text.replaceAll(new RegExp(`\\b_${name}\\b`, "g"), name);
  return { text, classes };
}

async function outputsOf(options: BuildOptions): Promise<string[]> {
  const { metafile } = await build({ ...common, ...options, metafile: true });
  return Object.keys(metafile.outputs).map((path) => resolve(root, path));
}

function makeExecutable({ source, output }: Entry): void {
  if (!readFileSync(output, "utf8").startsWith("#!")) throw new Error(`${source} must start with a #! line`);
  chmodSync(output, 0o755);
}

function prune(dist: string, sources: string, outputs: ReadonlySet<string>): void {
  for (const file of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || file.name.endsWith(".tsbuildinfo")) continue;
    const path = join(file.parentPath, file.name);
    const declared = /^(.+)\.d\.ts(?:\.map)?$/.exec(relative(dist, path))?.[1];
    const current = declared === undefined ? outputs.has(path) : existsSync(join(sources, `${declared}.ts`));
    if (!current) rmSync(path);
  }
}
