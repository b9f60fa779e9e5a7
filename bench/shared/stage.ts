import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const bench = resolve(import.meta.dirname, "..");
const root = resolve(bench, "..");

/** A folder where everything measured runs as plain JavaScript, with our packages installed by npm. */
export interface Stage {
  readonly folder: string;
  /** The path of a compiled script, such as `servers/raw`. */
  script(name: string): string;
  /**
   * Compiles the scripts of a folder of this repository's `bench/` once more.
   * @param name of the folder for them, such as `servers/compat`
   * @param alias packages to import in the place of others, by the name of the others
   */
  compile(sources: string, name: string, alias: Readonly<Record<string, string>>): Promise<void>;
  remove(): void;
}

/**
 * Packs and installs the output of `npm run build`, and compiles the scripts in the folders of `sources`. Node finds the
 * peers in the parent folder, where npm installed them.
 * @param packages our packages that the scripts need, by their folders
 * @param peers versions of dependencies of our packages, so that they are those of the peers
 */
export async function makeStage(
  sources: string,
  packages: readonly string[] = ["generated", "runtime"],
  peers: readonly string[] = [],
): Promise<Stage> {
  const modules = join(bench, "node_modules");
  const folder = mkdtempSync(join(modules, ".stage-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const tarballs = join(folder, "tarballs");
    mkdirSync(tarballs);
    for (const name of packages)
      npm("pack", resolve(root, name), "--ignore-scripts", "--silent", "--pack-destination", tarballs);
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    const files = readdirSync(tarballs).map((file) => join(tarballs, file));
    npm(
      "install",
      "--prefix",
      folder,
      "--omit=dev",
      "--no-audit",
      "--no-fund",
      "--silent",
      "--prefer-offline",
      ...files,
      ...peers,
    );
    const folders = readdirSync(sources, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    await bundle(
      folders.flatMap(({ name }) => scriptsIn(join(sources, name))),
      sources,
      folder,
    );
  } catch (error) {
    remove();
    throw error;
  }
  const compile: Stage["compile"] = (from, name, alias) =>
    bundle(scriptsIn(resolve(bench, from)), resolve(bench, from), join(folder, name), alias);
  return { folder, script: (name) => join(folder, `${name}.js`), compile, remove };
}

function scriptsIn(folder: string): readonly string[] {
  return readdirSync(folder).map((file) => join(folder, file));
}

async function bundle(
  entryPoints: readonly string[],
  outbase: string,
  outdir: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<void> {
  await build({
    entryPoints: [...entryPoints],
    outdir,
    outbase,
    alias: { ...alias },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
}

function npm(...args: string[]): void {
  execFileSync("npm", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}
