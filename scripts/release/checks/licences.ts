import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defect, type Finding } from "../finding.js";

export interface Licensed {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression in its package.json. */
  readonly license: string;
}

/** Licences of packages that users install with ours. */
export const forUsers: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "PSF-2.0",
  "Python-2.0",
]);

/** Licences of the packages that build and test ours, and that users do not install. */
export const forTools: ReadonlySet<string> = new Set([...forUsers, "CC0-1.0", "MPL-2.0"]);

/** Packages whose licence is not on the list. */
export function licenceFindings(
  where: string,
  packages: readonly Licensed[],
  allowed: ReadonlySet<string>,
): readonly Finding[] {
  if (packages.length === 0) return [defect(where, "contains no packages", "Install them, and run the check again.")];
  return packages
    .filter(({ license }) => !isAllowed(license, allowed))
    .map(({ name, version, license }) =>
      defect(
        where,
        `${name} ${version} ${license === "" ? "does not name a licence in its package.json" : `has the licence ${license}`}`,
        "Remove the dependency, or add the licence to scripts/release/checks/licences.ts if it permits redistribution.",
      ),
    );
}

/** The names of the packages by licence, the most frequent licence first. */
export function byLicence(packages: readonly Licensed[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { name, license } of packages) names.set(license, [...(names.get(license) ?? []), name]);
  return new Map([...names].sort(([a, some], [b, more]) => more.length - some.length || (a < b ? -1 : 1)));
}

/** Whether an expression is allowed: `A OR B` when one of them is, `A AND B` when both are. */
function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const bare = /^\((.*)\)$/.exec(expression.trim())?.[1] ?? expression.trim();
  if (/[()]/.test(bare)) return false;
  return bare.split(/\s+OR\s+/).some((choice) => choice.split(/\s+AND\s+/).every((id) => allowed.has(id.trim())));
}

/** The packages in a `node_modules` folder, nested ones included. Links are our own workspaces, and are skipped. */
export function installedIn(modules: string): readonly Licensed[] {
  if (!existsSync(modules)) return [];
  return readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith(".")) return [];
    const folder = join(modules, entry.name);
    return entry.name.startsWith("@")
      ? installedIn(folder)
      : [...packageIn(folder), ...installedIn(join(folder, "node_modules"))];
  });
}

function packageIn(folder: string): readonly Licensed[] {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return [];
  const { name, version, license, licenses } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license?: unknown;
    readonly licenses?: unknown;
  };
  // Old packages have a list of objects, of which the user may choose any.
  const stated = [license, ...(Array.isArray(licenses) ? (licenses as unknown[]) : [])]
    .map(nameOf)
    .filter((id) => id !== "");
  return [{ name, version, license: stated.join(" OR ") }];
}

function nameOf(license: unknown): string {
  if (typeof license === "string") return license;
  const type = (license as { readonly type?: unknown } | null | undefined)?.type;
  return typeof type === "string" ? type : "";
}
