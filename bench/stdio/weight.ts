import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { programs, withOne } from "../../scripts/size/programs.js";
import { type BundleRow, bundlesOf } from "../shared/bundle.js";
import type { Stage } from "../shared/stage.js";
import { packages } from "./subjects.js";

export interface InstallRow {
  readonly name: string;
  readonly bytes: number;
  /** The installed packages, each once. */
  readonly packages: readonly string[];
}

/** Minified and gzipped sizes. The server's tool has no input here, as in the peers' smallest rows. */
export async function measureBundles(stage: Stage): Promise<readonly BundleRow[]> {
  const { stdioServer, stdioServerOne, stdioClient, stdioClientOne } = programs;
  const texts: Readonly<Record<string, string>> = {
    [stdioServer.name]: stdioServer.text,
    [stdioServerOne.name]: stdioServerOne.text,
    "stdio server, 2025-11-25 only": withOne(stdioServer.text, "2025-11-25", "serverSide"),
    [stdioClient.name]: stdioClient.text,
    [stdioClientOne.name]: stdioClientOne.text,
    "stdio client, 2025-11-25 only": withOne(stdioClient.text, "2025-11-25", "clientSide"),
  };
  const whole: Readonly<Record<string, string>> = {
    "the measured servers, zod included: mcpwright": "servers/mcpwright",
    "the measured servers, zod included: SDK 1.x": "servers/sdk1",
    "the measured servers, zod included: SDK 2.x": "servers/sdk2-serve",
    "the measured servers, zod included: mcp-lite": "servers/mcp-lite",
    "the measured servers, zod included: tmcp": "servers/tmcp",
    "the measured servers, zod included: fastmcp": "servers/fastmcp",
    "the measured clients: mcpwright": "clients/mcpwright",
    "the measured clients: SDK 1.x": "clients/sdk1",
    "the measured clients: SDK 2.x": "clients/sdk2",
  };
  return bundlesOf(stage, texts, whole);
}

/** The production install of each package: ours from the stage, the peers' from `bench/node_modules`. */
export function measureInstalls(stage: Stage): readonly InstallRow[] {
  const bench = resolve(import.meta.dirname, "..");
  return [
    installed("mcpwright", stage.folder, ["@mcpwright/runtime"]),
    ...Object.entries(packages).map(([name, wanted]) => installed(name, bench, wanted)),
  ];
}

function installed(name: string, folder: string, wanted: readonly string[]): InstallRow {
  const found = new Map<string, string>();
  for (const one of wanted) follow(one, folder, found);
  const bytes = [...found.keys()].reduce((sum, path) => sum + sizeOf(path), 0);
  return { name, bytes, packages: [...found.values()].sort() };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Resolves a package as Node does, with all packages that npm installs for it. */
function follow(name: string, from: string, found: Map<string, string>): void {
  const path = find(name, from);
  if (path === undefined || found.has(path)) return;
  const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest;
  const { version, dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  found.set(path, `${name}@${version}`);
  const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
  for (const dependency of [...Object.keys(dependencies), ...peers]) follow(dependency, path, found);
}

function find(name: string, from: string): string | undefined {
  const path = join(from, "node_modules", name);
  if (existsSync(join(path, "package.json"))) return path;
  const above = dirname(from);
  return above === from ? undefined : find(name, above);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    // Nested packages are counted separately.
    if (entry.name === "node_modules") return sum;
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : entry.isFile() ? statSync(path).size : 0);
  }, 0);
}
