import { existsSync, type Dirent, readdirSync, realpathSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { isObject } from "../../shared/is-object.js";
import { readProject as readManifest } from "../../shared/project/read-project.js";

export type Members = Readonly<Record<string, unknown>>;

/** The project that is examined. */
export interface Project {
  /** Absolute: the folder of the nearest `package.json`, or the given one. */
  readonly folder: string;
  readonly manifestPath: string;
  /** The content of `package.json`; undefined when there is none, or when it is not an object. */
  readonly manifest: Members | undefined;
  /** Why `package.json` cannot be used, as the end of a sentence that begins with its name. */
  readonly manifestProblem?: string;
}

/** Reads the project that a folder belongs to. */
export function readProject(start: string): Project {
  const folder = withManifest(resolve(start));
  const manifestPath = join(folder, "package.json");
  if (!existsSync(manifestPath)) return { folder, manifestPath, manifest: undefined };
  const read = readManifest(folder);
  return read.kind === "read"
    ? { folder, manifestPath, manifest: read.content }
    : { folder, manifestPath, manifest: undefined, manifestProblem: read.reason };
}

function withManifest(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

/** The ranges of the packages that a project depends on. */
export function dependenciesOf({ manifest = {} }: Project): Readonly<Record<string, string>> {
  return rangesIn(manifest, ["optionalDependencies", "devDependencies", "dependencies"]);
}

/** The ranges of packages in members of a `package.json`; those of later members win. */
export function rangesIn(manifest: Members, members: readonly string[]): Readonly<Record<string, string>> {
  const all = members.flatMap((key) => {
    const ranges = manifest[key];
    return isObject(ranges) ? Object.entries(ranges) : [];
  });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** A package in a `node_modules` folder. */
export interface InstalledPackage {
  readonly name: string;
  /** Its real folder. */
  readonly folder: string;
  readonly manifest: Members;
}

/** The package that a module in a folder would import; undefined when it is not installed. */
export function findInstalled(name: string, from: string): InstalledPackage | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = readInstalled(name, join(folder, "node_modules", name));
    if (found) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

function readInstalled(name: string, folder: string): InstalledPackage | undefined {
  // Not installed, or broken: both need an installation.
  const read = readManifest(folder);
  return read.kind === "read" ? { name, folder: realpathSync(folder), manifest: read.content } : undefined;
}

export function versionOf({ manifest }: InstalledPackage): string {
  return typeof manifest["version"] === "string" ? manifest["version"] : "unknown";
}

/** The most files that a search looks at; more belong to no project of this kind. */
const mostFiles = 20_000;
const skipped = new Set(["node_modules", ".git"]);

/** The files below a folder, without those of packages and of git. Links are not followed. */
export function filesBelow(folder: string, isSkipped: (path: string) => boolean = () => false): readonly string[] {
  const files: string[] = [];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && files.length < mostFiles; at = folders.pop()) {
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && !skipped.has(entry.name) && !isSkipped(path)) folders.push(path);
    }
  }
  return files;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // absent or not readable
  }
}

const sourceEnds = new Set([".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"]);

export function isSource(path: string): boolean {
  return sourceEnds.has(extname(path)) && !/\.d\.[cm]?ts$/.test(path);
}

/** The specifiers of the static imports of a module, types included. */
export function importsOf(text: string): readonly string[] {
  const found = text.matchAll(/\bfrom\s*["']([^"'\n]+)["']|\bimport\s*["']([^"'\n]+)["']/g);
  return [...new Set([...found].map(([, from, alone]) => from ?? alone ?? ""))];
}
