import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hostsFolder } from "./paths.js";

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Installs the pinned hosts, where they are not there yet. */
export function installHosts(): void {
  const { dependencies = {} } = manifestIn(hostsFolder);
  const isCurrent = ([name, version]: readonly [string, string]): boolean =>
    manifestIn(join(hostsFolder, "node_modules", name)).version === version;
  if (Object.entries(dependencies).every(isCurrent)) return;
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  execFileSync("npm", ["ci", "--prefix", hostsFolder, ...options], { stdio: "inherit" });
}

/** The version of a pinned host. */
export function versionOf(name: string): string {
  return manifestIn(join(hostsFolder, "node_modules", name)).version ?? "";
}

/**
 * The program of a host. Its package gets it by an install script; that of the platform, on which it depends, has it anyway.
 * @param candidates paths below `node_modules`
 * @throws Error when there is none for this platform
 */
export function program(name: string, candidates: readonly string[]): string {
  const found = candidates.map((path) => join(hostsFolder, "node_modules", path)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`npm has no ${name} for ${process.platform} on ${process.arch}`);
  return found;
}

function manifestIn(folder: string): Manifest {
  const path = join(folder, "package.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Manifest) : {};
}
