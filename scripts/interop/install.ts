import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { interopFolder, modulesFolder } from "./paths.js";

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Peers use what older ones do not have. */
const leastNode = 22;

/** Installs the pinned peers, where they are not there yet. */
export function installPeers(): void {
  const { dependencies = {} } = manifestIn(interopFolder);
  if (Object.entries(dependencies).every(([name, version]) => versionOf(name) === version)) return;
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  execFileSync("npm", ["ci", "--prefix", interopFolder, ...options], { stdio: "inherit" });
}

/** The version of a pinned peer. */
export function versionOf(name: string): string | undefined {
  return manifestIn(join(modulesFolder, name)).version;
}

/** The Node that peers run on. */
export function peersNode(): string {
  const windows = process.platform === "win32";
  const platform = `${windows ? "win" : process.platform}-${process.arch}`;
  const installed = join(modulesFolder, `node-${platform}/bin`, windows ? "node.exe" : "node");
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split(".")[0]) >= leastNode) return process.execPath;
  throw new Error(`The peers need Node ${leastNode}, and npm has none for ${platform}: run this with a newer one`);
}

function manifestIn(folder: string): Manifest {
  const path = join(folder, "package.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Manifest) : {};
}
