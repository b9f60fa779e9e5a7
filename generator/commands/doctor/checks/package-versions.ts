import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type CheckResult, problem, type Problem } from "../finding.js";
import {
  dependenciesOf,
  entriesOf,
  findInstalled,
  type InstalledPackage,
  type Project,
  readInstalled,
  versionOf,
} from "../project.js";
import { isInRange } from "../version-range.js";

/** The packages that share one version. */
export const ownPackages = ["mcpwright", "@mcpwright/protocol", "@mcpwright/runtime", "@mcpwright/compat"] as const;

/** How deep `node_modules` folders are searched in each other. */
const deepest = 8;

/** Looks for packages of mcpwright that are missing, that do not fit each other, or that are installed several times. */
export function checkPackages(project: Project): CheckResult | undefined {
  const ranges = dependenciesOf(project);
  const wanted = ownPackages.filter((name) => ranges[name] !== undefined);
  const installed = allInstalled(project.folder);
  if (wanted.length === 0 && installed.length === 0) return undefined;
  const problems = [
    ...wanted.flatMap((name) => missingOrOutside(project, name, ranges[name] ?? "")),
    ...severalCopies(installed),
    ...mixedVersions(installed),
  ];
  if (problems.length > 0) return problems;
  return installed.map((one) => `${one.name} ${versionOf(one)}`).join(", ");
}

function missingOrOutside(project: Project, name: string, range: string): readonly Problem[] {
  const found = findInstalled(name, project.folder);
  if (!found) return [problem("error", `${name} is not installed`, "run: npm install", project.manifestPath)];
  const version = versionOf(found);
  if (isInRange(version, range) !== false) return [];
  const message = `${name} ${version} is installed, but package.json requires ${range}`;
  return [problem("error", message, "run: npm install", found.folder)];
}

function severalCopies(installed: readonly InstalledPackage[]): readonly Problem[] {
  return ownPackages.flatMap((name) => {
    const copies = installed.filter((one) => one.name === name);
    if (copies.length < 2) return [];
    const where = copies.map((one) => `${versionOf(one)} in ${one.folder}`).join(", ");
    const message = `${name} is installed ${copies.length} times: ${where}; instanceof fails between them`;
    return [problem("warning", message, "use one version in all packages, then run: npm dedupe", copies[0]?.folder)];
  });
}

function mixedVersions(installed: readonly InstalledPackage[]): readonly Problem[] {
  if (new Set(installed.map(versionOf)).size < 2) return [];
  const listed = installed.map((one) => `${one.name} ${versionOf(one)}`).join(", ");
  const names = [...new Set(installed.map(({ name }) => `${name}@latest`))].join(" ");
  const message = `packages of mcpwright have different versions: ${listed}`;
  return [problem("error", message, `run: npm install ${names}`)];
}

/** Our packages that a project can import, and those that its packages have for themselves. */
function allInstalled(folder: string): readonly InstalledPackage[] {
  const found = ownPackages.flatMap((name) => findInstalled(name, folder) ?? []);
  const all = [...found, ...below(join(folder, "node_modules"), 0)];
  return [...new Map(all.map((one) => [one.folder, one])).values()];
}

function below(modules: string, depth: number): readonly InstalledPackage[] {
  if (depth > deepest) return [];
  const packages = entriesOf(modules).flatMap(({ name }) =>
    name.startsWith("@") ? entriesOf(join(modules, name)).map((inner) => `${name}/${inner.name}`) : [name],
  );
  return packages.flatMap((name) => {
    const path = join(modules, name);
    // A link leads to a package of the same repository, or into the store of a package manager.
    if (name.startsWith(".") || lstatSync(path).isSymbolicLink()) return [];
    const isOwn = (ownPackages as readonly string[]).includes(name);
    const own = isOwn ? readInstalled(name, path) : undefined;
    return [...(own ? [own] : []), ...below(join(path, "node_modules"), depth + 1)];
  });
}
