import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { aliases, aliasFolder } from "./compat/aliases.js";
import { npmCommand, toolCommand } from "./npm.js";

const root = resolve(import.meta.dirname, "..");

/** The folders of the packages that have sources, dependencies first. */
export const sourceFolders = ["generated", "runtime", "compat", "."] as const;

/** The folders of all packages, dependencies first. Those of aliases exist after a build. */
export const packageFolders: readonly string[] = [...sourceFolders, ...aliases.map(aliasFolder)];

const libraries = ["generated", "runtime"] as const;

/**
 * Packs built packages as npm would publish them.
 * @param folders relative to the root
 * @returns the paths of the tarballs, in the order of `folders`
 */
export function pack(destination: string, folders: readonly string[]): readonly string[] {
  const paths = folders.map((folder) => resolve(root, folder));
  const options = ["--ignore-scripts", "--silent", "--json", "--pack-destination", destination];
  const written = execFileSync(...npmCommand(["pack", ...paths, ...options]), { cwd: root, encoding: "utf8" });
  const files = Object.values(JSON.parse(written) as Readonly<Record<string, { readonly filename: string }>>);
  if (files.length !== folders.length)
    throw new Error(`npm pack wrote ${files.length} tarballs for ${folders.length} packages`);
  return files.map(({ filename }) => join(destination, filename));
}

function npm(...args: readonly string[]): void {
  execFileSync(...npmCommand(args), { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

/** Creates a folder below `parent` and installs the two built libraries there with npm. */
export function installLibraries(parent: string): string {
  const folder = mkdtempSync(join(parent, ".stage-"));
  try {
    const tarballs = join(folder, "tarballs");
    mkdirSync(tarballs);
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    const files = pack(tarballs, libraries);
    const options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefer-offline"];
    npm("install", "--prefix", folder, ...options, ...files);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return folder;
}

/** Checks a tarball with publint and attw. */
export function checkTarball(tarball: string): void {
  execFileSync(...toolCommand(root, "publint/src/cli.js", ["run", tarball, "--strict"]), {
    cwd: root,
    stdio: "inherit",
  });
  const attw = [tarball, "--profile", "esm-only", "--no-summary"];
  execFileSync(...toolCommand(root, "@arethetypeswrong/cli/dist/index.js", attw), { cwd: root, stdio: "inherit" });
}
