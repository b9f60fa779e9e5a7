/**
 * Bundles the three packages: one ES module per public entry, beside the declarations that `tsc -b` wrote.
 * Afterwards `dist` holds what today's sources give and nothing older.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { entriesOf, type Entry } from "./entries.js";
import { siblingEntries } from "./sibling-entries.js";

const root = resolve(import.meta.dirname, "..");

const common = {
  absWorkingDir: root,
  bundle: true,
  charset: "utf8",
  format: "esm",
  metafile: true,
  packages: "external",
  target: "node20",
  tsconfig: join(root, "tsconfig.base.json"),
} satisfies BuildOptions;

/** Names of methods are constants that disappear in the code that uses them. */
const inlinedNames: Plugin = {
  name: "inlined-names",
  setup(build) {
    build.onResolve({ filter: /^@mcpwright\/protocol\/names$/ }, () => ({ path: join(root, "generated/names.ts") }));
  },
};

await bundlePackage(root, "generator", bundleTogether);
// Generated code never throws and is read in its sources; unminified it would be a third of what users install.
await bundlePackage(join(root, "generated"), ".", (entries) => bundleApart(entries, { minify: true, lineLimit: 160 }));
// Stack traces keep their names.
const compact = { minifyWhitespace: true, minifySyntax: true, lineLimit: 160 };
await bundlePackage(join(root, "runtime"), "src", (entries) => bundleApart(entries, compact));

type Bundler = (entries: readonly Entry[], dist: string) => Promise<string[]>;

async function bundlePackage(folder: string, sourceFolder: string, bundle: Bundler): Promise<void> {
  const sources = resolve(folder, sourceFolder);
  const dist = join(folder, "dist");
  const entries = entriesOf(folder, sources);
  const outputs = await bundle(entries, dist);
  entries.filter(({ executable }) => executable).forEach(makeExecutable);
  prune(dist, sources, new Set(outputs));
  trimDeclarations(dist);
  for (const { output } of entries) console.log(relative(root, output));
}

/** The generator: what its entries share is a chunk, and what it imports dynamically is loaded when needed. */
async function bundleTogether(entries: readonly Entry[], dist: string): Promise<string[]> {
  const entryPoints = entries.map(({ source, output }) => ({ in: source, out: relative(dist, output).slice(0, -3) }));
  return outputsOf({
    platform: "node",
    sourcemap: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    entryPoints,
    outdir: dist,
  });
}

/** A library: each entry is one file that a host loads at once. Source maps would be most of what users install. */
async function bundleApart(entries: readonly Entry[], layout: BuildOptions): Promise<string[]> {
  const bundles = entries.map((entry) =>
    outputsOf({
      ...layout,
      platform: "neutral",
      entryPoints: [entry.source],
      outfile: entry.output,
      plugins: startsFast(entry)
        ? [siblingEntries(withClasses(entries), entry)]
        : [siblingEntries(entries, entry), inlinedNames],
    }),
  );
  return (await Promise.all(bundles)).flat();
}

/**
 * Every server loads the sides of all revisions, and every program what converts between them; without all else that
 * their entries hold, and as one file each, a server starts 9 ms sooner.
 */
function startsFast({ source }: Entry): boolean {
  return (
    ["server-sides.ts", "conversions.ts"].includes(basename(source)) && dirname(source) === join(root, "generated")
  );
}

/** The entries that may not be there twice. */
function withClasses(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ source }) => basename(source) === "convert.ts");
}

async function outputsOf(options: BuildOptions): Promise<string[]> {
  const { metafile } = await build({ ...common, ...options, metafile: true });
  return Object.keys(metafile.outputs).map((path) => resolve(root, path));
}

/** Declarations are installed with the packages; a tab indents as well as four blanks, and their maps are not there. */
function trimDeclarations(dist: string): void {
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".d.ts"),
  )) {
    const path = join(dist, file);
    const text = readFileSync(path, "utf8");
    const trimmed = text
      .replace(/^(?: {4})+/gm, (blanks) => "\t".repeat(blanks.length / 4))
      .replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
    if (trimmed !== text) writeFileSync(path, trimmed);
  }
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
