import { existsSync, type Dirent, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { isObject } from "../../shared/is-object.js";

export type Members = Readonly<Record<string, unknown>>;

/** The project that is examined. */
export interface Project {
  /** Absolute: the folder of the nearest `package.json`, or the given one. */
  readonly folder: string;
  readonly manifestPath: string;
  /** The content of `package.json`; undefined when there is none, or when it is not an object. */
  readonly manifest: Members | undefined;
  /** Why `package.json` cannot be used. */
  readonly manifestProblem?: string;
}

/** Reads the project that a folder belongs to. */
export function readProject(start: string): Project {
  const folder = withManifest(resolve(start));
  const manifestPath = join(folder, "package.json");
  if (!existsSync(manifestPath)) return { folder, manifestPath, manifest: undefined };
  try {
    const manifest: unknown = JSON.parse(readFileSync(manifestPath, "utf8").replace(/^\uFEFF/, ""));
    if (isObject(manifest)) return { folder, manifestPath, manifest };
    return { folder, manifestPath, manifest: undefined, manifestProblem: "it is not an object" };
  } catch (error) {
    return { folder, manifestPath, manifest: undefined, manifestProblem: (error as Error).message };
  }
}

function withManifest(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

/** The ranges of the packages that a project depends on. */
export function dependenciesOf({ manifest = {} }: Project): Readonly<Record<string, string>> {
  const all = ["optionalDependencies", "devDependencies", "dependencies"].flatMap((key) => {
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

/** The package in a folder; undefined when there is none. */
export function readInstalled(name: string, folder: string): InstalledPackage | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return isObject(manifest) ? { name, folder: realpathSync(folder), manifest } : undefined;
  } catch {
    return undefined; // not installed, or broken: both need an installation
  }
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

export function entriesOf(folder: string): readonly Dirent[] {
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
