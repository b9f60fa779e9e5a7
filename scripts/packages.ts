import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** The folders of the three packages, dependencies first. */
export const packageFolders = ["generated", "runtime", "."] as const;
const libraries = ["generated", "runtime"] as const;

/** Packs the built packages as npm would publish them. @returns the paths of the tarballs, in the order of `packageFolders` */
export function packAll(destination: string): readonly string[] {
  return packageFolders.map((folder) => pack(folder, destination));
}

function pack(folder: string, destination: string): string {
  const before = new Set(readdirSync(destination));
  npm("pack", resolve(root, folder), "--ignore-scripts", "--silent", "--pack-destination", destination);
  const made = readdirSync(destination).find((file) => !before.has(file));
  if (made === undefined) throw new Error(`npm pack wrote no tarball for ${folder}`);
  return join(destination, made);
}

function npm(...args: readonly string[]): void {
  execFileSync("npm", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

/** Creates a folder below `parent` and installs the two built libraries there with npm. */
export function installLibraries(parent: string): string {
  const folder = mkdtempSync(join(parent, ".stage-"));
  try {
    const tarballs = join(folder, "tarballs");
    mkdirSync(tarballs);
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    const files = libraries.map((name) => pack(name, tarballs));
    const options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefer-offline"];
    npm("install", "--prefix", folder, ...options, ...files);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return folder;
}

/** Checks a tarball with publint and attw. Both are on `PATH` only in processes that npm started. */
export function checkTarball(tarball: string): void {
  execFileSync("publint", ["run", tarball, "--strict"], { cwd: root, stdio: "inherit" });
  execFileSync("attw", [tarball, "--profile", "esm-only", "--no-summary"], { cwd: root, stdio: "inherit" });
}
