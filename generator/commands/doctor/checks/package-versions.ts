import { type CheckResult, problem, type Problem } from "../finding.js";
import { dependenciesOf, findInstalled, type InstalledPackage, type Project, rangesIn, versionOf } from "../project.js";
import { isInRange } from "../version-range.js";

/** The packages that share one version. */
export const ownPackages = ["mcpwright", "@mcpwright/protocol", "@mcpwright/runtime", "@mcpwright/compat"] as const;

/** Whether a project depends on a package of mcpwright, also under another name, as on those of compat. */
export function dependsOnUs(project: Project): boolean {
  return Object.entries(dependenciesOf(project)).some((words) =>
    words.some((word) => /^(npm:)?@?mcpwright(\/|$)/.test(word)),
  );
}

/** Looks for packages of mcpwright that are missing, that do not fit each other, or that are installed several times. */
export function checkPackages(project: Project): CheckResult | undefined {
  const ranges = dependenciesOf(project);
  const wanted = ownPackages.filter((name) => ranges[name] !== undefined);
  const installed = allInstalled(project);
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

/** The packages that a package imports from. */
const imported = ["peerDependencies", "optionalDependencies", "dependencies"];

/** Our packages that a project and its dependencies import, each folder once. */
function allInstalled(project: Project): readonly InstalledPackage[] {
  const names = [...ownPackages, ...Object.keys(dependenciesOf(project))];
  const reached = names.flatMap((name) => findInstalled(name, project.folder) ?? []);
  const own: InstalledPackage[] = [];
  const folders = new Set<string>();
  for (const one of reached) {
    if (folders.has(one.folder)) continue;
    folders.add(one.folder);
    if ((ownPackages as readonly string[]).includes(one.name)) own.push(one);
    const needed = Object.keys(rangesIn(one.manifest, imported));
    reached.push(...needed.flatMap((name) => findInstalled(name, one.folder) ?? []));
  }
  return own;
}
