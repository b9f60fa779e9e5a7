import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suiteFolder } from "./paths.js";

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** How to start the official suite: a Node that it runs on, and its script. */
export interface Suite {
  readonly node: string;
  readonly script: string;
  readonly version: string;
}

const name = "@modelcontextprotocol/conformance";
/** It uses what older ones do not have. */
const leastNode = 22;

/** Finds the pinned version of the suite; installs it, and a Node for it, where they are not there yet. */
export function findSuite(): Suite {
  const version = manifestIn(suiteFolder)?.dependencies?.[name];
  if (version === undefined) throw new Error(`${suiteFolder}/package.json does not name ${name}`);
  const folder = join(suiteFolder, "node_modules", name);
  if (manifestIn(folder)?.version !== version)
    execFileSync("npm", ["ci", "--prefix", suiteFolder, "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], {
      stdio: "inherit",
    });
  return { node: findNode(), script: join(folder, "dist/index.js"), version };
}

function findNode(): string {
  const windows = process.platform === "win32";
  const platform = `${windows ? "win" : process.platform}-${process.arch}`;
  const installed = join(suiteFolder, `node_modules/node-${platform}/bin`, windows ? "node.exe" : "node");
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split(".")[0]) >= leastNode) return process.execPath;
  throw new Error(`The suite needs Node ${leastNode}, and npm has none for ${platform}: run this with a newer one`);
}

function manifestIn(folder: string): Manifest | undefined {
  const path = join(folder, "package.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Manifest) : undefined;
}
