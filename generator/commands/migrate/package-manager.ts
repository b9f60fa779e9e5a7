import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject } from "../../shared/is-object.js";
import type { PackageFile } from "./find-packages.js";
import { officialPackages } from "./official-packages.js";

export type ManagerName = "npm" | "pnpm" | "yarn" | "bun";

export interface PackageManager {
  readonly name: ManagerName;
  /** The official packages that installed packages of other authors depend on, sorted; empty without a lockfile. */
  readonly dependents: readonly string[];
}

/** The lockfiles of each package manager, and the names that a lockfile says other packages depend on. */
const lockfiles: Readonly<Record<ManagerName, { files: readonly string[]; read: (text: string) => Iterable<string> }>> =
  {
    npm: { files: ["package-lock.json", "npm-shrinkwrap.json"], read: readPackageLock },
    pnpm: { files: ["pnpm-lock.yaml"], read: readPnpmLock },
    yarn: { files: ["yarn.lock"], read: readYarnLock },
    bun: { files: ["bun.lock", "bun.lockb"], read: readBunLock },
  };

const names = Object.keys(lockfiles) as ManagerName[];

/**
 * The package manager that a folder uses: by its `packageManager`, by its lockfile, or by the lockfile of a folder above it.
 * Default: npm.
 */
export function findPackageManager(folder: string, { manifest }: PackageFile): PackageManager {
  const [, stated] = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest["packageManager"])) ?? [];
  const name = names.find((one) => one === stated) ?? lockedBy(folder) ?? "npm";
  const { files, read } = lockfiles[name];
  const file = files.map((one) => join(folder, one)).find((one) => existsSync(one));
  const found = new Set(file === undefined ? [] : read(readFileSync(file, "utf8")));
  return { name, dependents: [...officialPackages.keys()].filter((one) => found.has(one)).sort() };
}

function lockedBy(folder: string): ManagerName | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = names.find((name) => lockfiles[name].files.some((file) => existsSync(join(at, file))));
    if (found !== undefined) return found;
    // A lockfile above the repository belongs to something else.
    if (existsSync(join(at, ".git")) || at === dirname(at)) return undefined;
  }
}

/** Lockfiles of npm: of version 2 and later by their `packages`, of version 1 by `requires` in the tree of `dependencies`. */
function* readPackageLock(text: string): Iterable<string> {
  let lock: unknown;
  try {
    lock = JSON.parse(text);
  } catch {
    return; // npm reports it better, in the install that follows
  }
  if (!isObject(lock)) return;
  if (isObject(lock["packages"])) {
    for (const [path, entry] of Object.entries(lock["packages"])) {
      const installed = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      if (!path.includes("node_modules/") || officialPackages.has(installed) || !isObject(entry)) continue;
      for (const section of ["dependencies", "optionalDependencies", "peerDependencies"])
        yield* isObject(entry[section]) ? Object.keys(entry[section]) : [];
    }
  } else yield* readRequires(lock);
}

function* readRequires(tree: Readonly<Record<string, unknown>>): Iterable<string> {
  if (!isObject(tree["dependencies"])) return;
  for (const [name, entry] of Object.entries(tree["dependencies"])) {
    if (!isObject(entry)) continue;
    if (!officialPackages.has(name) && isObject(entry["requires"])) yield* Object.keys(entry["requires"]);
    yield* readRequires(entry);
  }
}

/** After the importers, whose entries have an object for each dependency, each line with a version is one of an installed package. */
function* readPnpmLock(text: string): Iterable<string> {
  const installed = /^(?:packages|snapshots):[^]*/m.exec(text)?.[0] ?? "";
  for (const [, entry = "", body = ""] of installed.matchAll(/^ {2}(\S.*):\n((?: {4}.*\n|\n(?= {4}))*)/gm)) {
    if (isOfficial(entry)) continue;
    for (const [, name = ""] of body.matchAll(/^ {6}['"]?(@modelcontextprotocol\/[\w-]+)['"]?: \S/gm)) yield name;
  }
}

/** Both formats of Yarn have an entry at the left margin, and its dependencies deeper. */
function* readYarnLock(text: string): Iterable<string> {
  for (const [, entry = "", body = ""] of text.matchAll(/^(\S.*):\r?\n((?:[ \t]+.*(?:\r?\n|$))*)/gm)) {
    if (isOfficial(entry) || entry.includes("@workspace:")) continue;
    for (const [, name = ""] of body.matchAll(/^ {4}"?(@modelcontextprotocol\/[\w-]+)"?:? \S/gm)) yield name;
  }
}

/** One line for each package: `"name": ["name@version", …, { "dependencies": … }]`. */
function* readBunLock(text: string): Iterable<string> {
  const packages = /^ {2}"packages": \{[^]*/m.exec(text)?.[0] ?? "";
  for (const [, entry = "", body = ""] of packages.matchAll(/^ {4}("[^"]+"): \[(.*)$/gm)) {
    if (isOfficial(entry) || body.includes("@workspace:")) continue;
    for (const [, name = ""] of body.matchAll(/"(@modelcontextprotocol\/[\w-]+)": "/g)) yield name;
  }
}

/** Whether the key of a lockfile's entry names an official package, which is replaced itself. */
function isOfficial(key: string): boolean {
  const [, name = ""] = /^['"/]*(@modelcontextprotocol\/[\w-]+)/.exec(key) ?? [];
  return officialPackages.has(name);
}
