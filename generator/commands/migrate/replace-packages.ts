import { type Diagnostic, diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../shared/is-object.js";
import { setJsonMember } from "./edit-json.js";
import { type PackageFile, type Packages, pnpmWorkspace, pnpmWorkspaceFile } from "./find-packages.js";
import { aliasedPackage, type OfficialPackage, officialPackages } from "./official-packages.js";
import type { ManagerName, PackageManager } from "./package-manager.js";
import type { MigrationPlan } from "./migration-plan.js";

/** Dependencies that npm can install under another name. Peers must stay ranges. */
const installedSections = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/** Where each package manager reads what replaces the dependencies of other packages. */
const overrideSections: Readonly<Record<ManagerName, readonly string[]>> = {
  npm: ["overrides"],
  bun: ["overrides"],
  yarn: ["resolutions"],
  pnpm: ["pnpm", "overrides"],
};

/** Plans the level `compat`: the compat packages in place of the official ones, in package.json files only. */
export function replacePackages(folder: string, { root, all }: Packages, manager: PackageManager): MigrationPlan {
  const findings: Diagnostic[] = [];
  const texts = new Map(all.map((file) => [file, replaceDirect(file, findings)] as const));
  const overridden = overrideDependents(folder, root, texts.get(root) ?? root.text, manager, findings);
  texts.set(root, overridden);
  const files = [...texts].map(([{ path, text }, after]) => ({ path, before: text, after }));
  return { files: files.filter(({ before, after }) => before !== after), findings, todos: [] };
}

/** Turns the dependencies of one package into npm aliases. */
function replaceDirect({ path, text, manifest }: PackageFile, findings: Diagnostic[]): string {
  let after = text;
  const installed = new Set<string>();
  for (const section of installedSections) {
    for (const [name, range] of entriesOf(manifest[section])) {
      const official = officialPackages.get(name) ?? aliasedPackage(range);
      if (!official) continue;
      installed.add(official.name);
      if (range === official.alias) continue;
      if (isRange(range)) after = setJsonMember(after, [section, name], official.alias);
      else findings.push(diagnostic("migrate-range-kept", { path, name, range, alias: official.alias }));
    }
  }
  for (const [name] of entriesOf(manifest["peerDependencies"])) {
    const official = officialPackages.get(name);
    if (official && !installed.has(name))
      findings.push(diagnostic("migrate-peer-kept", { path, name, alias: `"${name}": "${official.alias}"` }));
  }
  return after;
}

/** Replaces the official packages that other installed packages depend on. Package managers read this in the root only. */
function overrideDependents(
  folder: string,
  root: PackageFile,
  text: string,
  { name: manager, dependents }: PackageManager,
  findings: Diagnostic[],
): string {
  const wanted = dependents.flatMap((name) => officialPackages.get(name) ?? []);
  const overrides = wanted.filter(({ name }) => manager !== "npm" || !isPeerOnly(root, name));
  if (manager === "pnpm" && overrides.length > 0) {
    const ofWorkspace = pnpmWorkspace(folder)?.["overrides"];
    if (isObject(ofWorkspace) || readsWorkspaceOnly(root)) {
      const missing = overrides.filter(({ name, alias }) => !isObject(ofWorkspace) || ofWorkspace[name] !== alias);
      const lines = missing.map(({ name, alias }) => `"${name}": "${alias}"`).join(", ");
      if (lines !== "") findings.push(diagnostic("migrate-pnpm-overrides", { path: pnpmWorkspaceFile, lines }));
      return text;
    }
  }
  const section = overrideSections[manager];
  return overrides.reduce((after, official) => {
    const existing = memberAt(root.manifest, [...section, official.name]);
    const value = manager === "npm" ? npmOverride(root, official) : official.alias;
    if (existing === value || existing === official.alias) return after;
    if (existing === undefined || (typeof existing === "string" && (isRange(existing) || existing.startsWith("$"))))
      return setJsonMember(after, [...section, official.name], value);
    const { name, alias } = official;
    findings.push(diagnostic("migrate-override-kept", { path: root.path, section: section.join("."), name, alias }));
    return after;
  }, text);
}

/** npm rejects an override of a direct dependency (EOVERRIDE), unless it refers to that dependency. */
function npmOverride({ manifest }: PackageFile, { name, alias }: OfficialPackage): string {
  return installedSections.some((section) => entriesOf(manifest[section]).some(([one]) => one === name))
    ? `$${name}`
    : alias;
}

/** An override cannot refer to a peer dependency, which stays a range. */
function isPeerOnly({ manifest }: PackageFile, name: string): boolean {
  const has = (section: string): boolean => entriesOf(manifest[section]).some(([one]) => one === name);
  return has("peerDependencies") && !installedSections.some(has);
}

/** pnpm reads settings from package.json up to version 10. */
function readsWorkspaceOnly({ manifest }: PackageFile): boolean {
  const [, major = "0"] = /^pnpm@(\d+)/.exec(String(manifest["packageManager"])) ?? [];
  return Number(major) > 10;
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);
}

/** The dependencies of a section. */
export function entriesOf(section: unknown): readonly (readonly [name: string, range: string])[] {
  return isObject(section)
    ? Object.entries(section).filter((entry): entry is [string, string] => typeof entry[1] === "string")
    : [];
}

/** Whether a specifier is a range, a tag, or an alias: not a folder, a repository, a URL or an entry of a catalogue. */
function isRange(specifier: string): boolean {
  return specifier.startsWith("npm:") || !/[:/]/.test(specifier);
}
