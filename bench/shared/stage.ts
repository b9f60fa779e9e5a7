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
  remove(): void;
}

/**
 * Packs and installs the output of `npm run build`, and compiles the scripts in the folders of `sources`. Node finds the
 * peers in the parent folder, where npm installed them.
 */
export async function makeStage(sources: string): Promise<Stage> {
  const modules = join(bench, "node_modules");
  const folder = mkdtempSync(join(modules, ".stage-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const tarballs = join(folder, "tarballs");
    mkdirSync(tarballs);
    for (const name of ["generated", "runtime"])
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
    );
    await compile(sources, folder);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, script: (name) => join(folder, `${name}.js`), remove };
}

async function compile(sources: string, folder: string): Promise<void> {
  const scripts = readdirSync(sources, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(sources, name)).map((file) => join(sources, name, file)));
  await build({
    entryPoints: scripts,
    outdir: folder,
    outbase: sources,
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
