import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, fail } from "../../shared/diagnostics/diagnostic.js";
import { withLf } from "../../shared/files/content-hash.js";
import type { Disk } from "../../shared/files/disk.js";
import { placeFiles } from "../../shared/files/place-files.js";
import { unifiedDiff } from "../../shared/files/unified-diff.js";
import { findPackages, type Packages } from "./find-packages.js";
import { assertCommitted } from "./git-state.js";
import type { FileChange, Todo } from "./migration-plan.js";
import { aliasedPackage, officialPackages } from "./official-packages.js";
import { findPackageManager, type ManagerName, type PackageManager } from "./package-manager.js";
import { entriesOf, replacePackages } from "./replace-packages.js";

export interface MigrateOptions {
  /** The project: a package, or the root of a monorepo. Default: the current folder. */
  readonly folder?: string;
  /** `dry-run` writes nothing and reports the differences. Default: `write`. */
  readonly mode?: "write" | "dry-run";
  /** Also changes folders that git could not restore. Default: false. */
  readonly force?: boolean;
  /** For tests of disks that fail. */
  readonly disk?: Disk;
}

/** What was done, or would be. */
export interface MigrateResult {
  /** Sorted paths, from the folder. */
  readonly changed: readonly string[];
  /** The places where a person must decide. */
  readonly todos: readonly Todo[];
  readonly findings: readonly Diagnostic[];
  readonly manager: ManagerName;
  /** A unified diff of the changes that were, or would be, written. */
  readonly diff: string;
}

/**
 * Moves a project from the official SDK to mcpwright. Writes all files or none.
 *
 * @throws DiagnosticError migrate-no-package, migrate-package-invalid, migrate-workspace-invalid, migrate-no-sdk, migrate-no-git,
 *   migrate-dirty, migrate-changed, output-not-writable
 */
export async function migrate(options: MigrateOptions = {}): Promise<MigrateResult> {
  const { folder = ".", mode = "write", force = false, disk } = options;
  const packages = findPackages(folder);
  const manager = findPackageManager(folder, packages.root);
  if (!usesOfficialSdk(packages, manager)) fail("migrate-no-sdk", { path: folder });
  const plan = replacePackages(folder, packages, manager);
  if (mode === "write" && plan.files.length > 0) {
    if (!force) await assertCommitted(folder);
    await placeFiles(folder, () => plan.files.map((file) => differenceOf(folder, file)), disk);
  }
  const visible = plan.files.map(({ path, before, after }) => ({ path, before: withLf(before), after: withLf(after) }));
  return {
    changed: plan.files.map(({ path }) => path).sort(),
    todos: plan.todos,
    findings: [...packages.findings, ...plan.findings],
    manager: manager.name,
    diff: unifiedDiff(visible.map((one) => ({ ...one, kind: "changed" }))),
  };
}

/** Whether a package depends on the official SDK, by its own name or another one. */
function usesOfficialSdk({ all }: Packages, { dependents }: PackageManager): boolean {
  const sections = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
  const entries = all.flatMap(({ manifest }) => sections.flatMap((section) => entriesOf(manifest[section])));
  return dependents.length > 0 || entries.some(([name, range]) => officialPackages.has(name) || aliasedPackage(range));
}

/** The change of a file, which must still be as it was read. */
function differenceOf(folder: string, { path, before, after }: FileChange) {
  if (readFileSync(join(folder, path), "utf8") !== before) fail("migrate-changed", { path });
  return { path, kind: "changed", before, after } as const;
}
