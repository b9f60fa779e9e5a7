import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { npmCommand } from "./npm.js";

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The lowest version of Node for peers that do not run on Node 20. */
const leastNode = 22;

/** Installs the packages that a folder's `package.json` pins, unless they are installed. */
export function installPinned(folder: string): void {
  const { dependencies = {} } = manifestIn(folder);
  const isCurrent = ([name, version]: readonly [string, string]): boolean =>
    pinnedVersion(folder, name) === version.replace(/^npm:.*@/, "");
  if (Object.entries(dependencies).every(isCurrent)) return;
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  execFileSync(...npmCommand(["ci", "--prefix", folder, ...options]), { stdio: "inherit" });
}

/** The version of a package installed in a folder. */
export function pinnedVersion(folder: string, name: string): string | undefined {
  return manifestIn(join(folder, "node_modules", name)).version;
}

/** The Node that a folder pins for packages that do not run on our oldest supported version; without a pin, the current Node. */
export function pinnedNode(folder: string): string {
  const windows = process.platform === "win32";
  const platform = `${windows ? "win" : process.platform}-${process.arch}`;
  const installed = join(folder, `node_modules/node-${platform}/bin`, windows ? "node.exe" : "node");
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split(".")[0]) >= leastNode) return process.execPath;
  throw new Error(
    `This needs Node ${leastNode}, which npm does not provide for ${platform}: run it with that version or a newer one`,
  );
}

function manifestIn(folder: string): Manifest {
  const path = join(folder, "package.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Manifest) : {};
}
