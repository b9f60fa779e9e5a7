import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** The folders of the three packages, in the order in which they depend on each other. */
export const packageFolders = ["generated", "runtime", "."] as const;
const libraries = ["generated", "runtime"] as const;

/** Packs what `npm run build` made, as npm would publish it. @returns the paths of the tarballs, in that order */
export function packAll(destination: string): readonly string[] {
  return packageFolders.map((folder) => pack(folder, destination));
}

function pack(folder: string, destination: string): string {
  const before = new Set(readdirSync(destination));
  npm("pack", resolve(root, folder), "--ignore-scripts", "--silent", "--pack-destination", destination);
  const made = readdirSync(destination).find((file) => !before.has(file));
  if (made === undefined) throw new Error(`npm pack made nothing of ${folder}`);
  return join(destination, made);
}

function npm(...args: readonly string[]): void {
  execFileSync("npm", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

/** A new folder below `parent` with what `npm run build` made of the two libraries, installed as npm would. */
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

/** Has publint and attw judge a tarball. Both are known to who was started by npm. */
export function checkTarball(tarball: string): void {
  execFileSync("publint", ["run", tarball, "--strict"], { cwd: root, stdio: "inherit" });
  execFileSync("attw", [tarball, "--profile", "esm-only", "--no-summary"], { cwd: root, stdio: "inherit" });
}
