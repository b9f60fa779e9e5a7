import { existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Project } from "ts-morph";
import { parse as parseYaml } from "yaml";
import { type Diagnostic, diagnostic, fail } from "../../shared/diagnostics/diagnostic.js";
import { errnoText } from "../../shared/files/file-errors.js";
import { isObject } from "../../shared/is-object.js";
import { JsonLocations } from "../../shared/json/json-locations.js";

/** A package.json: its text as it is on the disk, and its content. */
export interface PackageFile {
  /** From the folder that is migrated, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

export interface Packages {
  readonly root: PackageFile;
  /** The root, and the packages of its workspaces, sorted. */
  readonly all: readonly PackageFile[];
  /** Package files that are links. */
  readonly findings: readonly Diagnostic[];
}

export const pnpmWorkspaceFile = "pnpm-workspace.yaml";

/**
 * Finds the package.json of a folder, and those of the packages that its `workspaces`, or its pnpm-workspace.yaml, name.
 * @throws DiagnosticError migrate-no-package, migrate-package-invalid, migrate-workspace-invalid
 */
export function findPackages(folder: string): Packages {
  const findings: Diagnostic[] = [];
  const root = readPackage(folder, "package.json");
  if (!root) return fail("migrate-no-package", { path: join(folder, "package.json") });
  const all = [root];
  for (const path of workspacePaths(folder, workspacePatterns(folder, root.manifest))) {
    if (isLink(folder, path)) {
      findings.push(
        diagnostic("migrate-file-skipped", { path, reason: "it is a link, or in a folder that is a link" }),
      );
      continue;
    }
    const found = readPackage(folder, path);
    if (found) all.push(found);
  }
  return { root, all, findings };
}

function readPackage(folder: string, path: string): PackageFile | undefined {
  const file = join(folder, path);
  if (!existsSync(file) || !lstatSync(file).isFile()) return undefined;
  const text = readText(file);
  const locations = new JsonLocations(text, file);
  let manifest: unknown;
  try {
    manifest = JSON.parse(locations.text);
  } catch (error) {
    const reason = (error as Error).message;
    return fail("migrate-package-invalid", { reason }, locations.syntaxError(error as Error));
  }
  if (!isObject(manifest))
    return fail("migrate-package-invalid", { reason: "it must be an object" }, { file, line: 1, column: 1 });
  for (const section of ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides"]) {
    const value = manifest[section];
    if (value === undefined || isObject(value)) continue;
    return fail("migrate-package-invalid", { reason: `${section} must be an object` }, locations.locate([section]));
  }
  const [repetition] = locations.repetitions();
  if (repetition) {
    const reason = `it contains ${repetition.pointer.join(".")} twice`;
    return fail("migrate-package-invalid", { reason }, repetition.second);
  }
  return { path, text, manifest };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return fail("migrate-workspace-invalid", { path, reason: errnoText(error) ?? String(error) });
  }
}

function workspacePatterns(folder: string, manifest: PackageFile["manifest"]): readonly string[] {
  const { workspaces } = manifest;
  const listed = isObject(workspaces) ? workspaces["packages"] : workspaces;
  return [...strings(listed), ...strings(pnpmWorkspace(folder)?.["packages"])];
}

/** The content of pnpm-workspace.yaml; undefined if there is none. */
export function pnpmWorkspace(folder: string): Readonly<Record<string, unknown>> | undefined {
  const path = join(folder, pnpmWorkspaceFile);
  if (!existsSync(path)) return undefined;
  try {
    const content: unknown = parseYaml(readText(path));
    return isObject(content) ? content : {};
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "YAMLParseError") throw error;
    return fail("migrate-workspace-invalid", { path, reason: error.message.split(":\n", 1)[0] ?? "" });
  }
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

/** The package files that the patterns match, from the folder, without the root's own. */
function workspacePaths(folder: string, patterns: readonly string[]): readonly string[] {
  if (patterns.length === 0) return [];
  const root = resolve(folder);
  const globs = patterns.map((pattern) => {
    const [, not = "", rest = pattern] = /^(!?)(?:\.\/)?(.*?)\/?$/.exec(pattern) ?? [];
    return `${not}${slashes(root)}/${rest}/package.json`;
  });
  const files = new Project().getFileSystem().globSync([...globs, `!${slashes(root)}/**/node_modules/**`]);
  const paths = files.map((file) => slashes(relative(root, file)));
  return [...new Set(paths)].filter((path) => path !== "package.json" && !path.startsWith("../")).sort();
}

function slashes(path: string): string {
  return path.split(sep).join("/");
}

/** Whether a file, or a folder between it and the root, is a link: it may belong to another place. */
export function isLink(folder: string, path: string): boolean {
  for (let at = path; at !== "."; at = dirname(at)) {
    if (lstatSync(join(folder, at), { throwIfNoEntry: false })?.isSymbolicLink() === true) return true;
  }
  return false;
}
