import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, fail } from "../../shared/diagnostics/diagnostic.js";
import { withLf } from "../../shared/files/content-hash.js";
import type { Disk } from "../../shared/files/disk.js";
import { placeFiles } from "../../shared/files/place-files.js";
import { unifiedDiff } from "../../shared/files/unified-diff.js";
import { adoptRuntime } from "./adopt-runtime.js";
import { findPackages, type Packages } from "./find-packages.js";
import { findSources } from "./find-sources.js";
import { assertCommitted } from "./git-state.js";
import type { FileChange, MigrationPlan, Todo } from "./migration-plan.js";
import { aliasedPackage, officialPackages } from "./official-packages.js";
import { findPackageManager, type ManagerName, type PackageManager } from "./package-manager.js";
import { entriesOf, replacePackages } from "./replace-packages.js";

export interface MigrateOptions {
  /** The project: a package, or the root of a monorepo. Default: the current folder. */
  readonly folder?: string;
  /**
   * `compat` changes package.json files only: packages with the official API take the place of the official ones. `native` also
   * rewrites the source to the API of mcpwright. Default: `compat`.
   */
  readonly level?: "compat" | "native";
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
 *   migrate-dirty, migrate-unparsable, migrate-changed, output-not-writable
 */
export async function migrate(options: MigrateOptions = {}): Promise<MigrateResult> {
  const { folder = ".", level = "compat", mode = "write", force = false, disk } = options;
  const packages = findPackages(folder);
  const manager = findPackageManager(folder, packages.root);
  if (!usesOfficialSdk(packages, manager)) fail("migrate-no-sdk", { path: folder });
  const plan =
    level === "native" ? await rewriteProject(folder, packages, manager) : replacePackages(folder, packages, manager);
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

/** Plans the level `native`: sources use our API, and packages that still need the official one get compat. */
async function rewriteProject(folder: string, packages: Packages, manager: PackageManager): Promise<MigrationPlan> {
  const { rewriteSources } = await import("./rewrite-sources.js");
  const findings: Diagnostic[] = [];
  const sources = findSources(folder, packages.all, findings);
  const rewritten = rewriteSources(folder, sources);
  const all = packages.all.map((file) => adoptRuntime(file, packages.all, sources, rewritten.texts));
  const plan = replacePackages(folder, { ...packages, all, root: all[0] ?? packages.root }, manager);
  const files = all.map(({ path, text }, index) => ({
    path,
    before: packages.all[index]?.text ?? text,
    after: plan.files.find((one) => one.path === path)?.after ?? text,
  }));
  return {
    files: [...files.filter(({ before, after }) => before !== after), ...rewritten.files],
    findings: [...findings, ...plan.findings],
    todos: rewritten.todos,
  };
}

/** Whether a package depends on the official SDK, by its own name or another one, or on ours already. */
function usesOfficialSdk({ all }: Packages, { dependents }: PackageManager): boolean {
  const sections = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
  const entries = all.flatMap(({ manifest }) => sections.flatMap((section) => entriesOf(manifest[section])));
  return (
    dependents.length > 0 ||
    entries.some(
      ([name, range]) =>
        officialPackages.has(name) || name === "@mcpwright/runtime" || aliasedPackage(range) !== undefined,
    )
  );
}

/** The change of a file, which must still be as it was read. */
function differenceOf(folder: string, { path, before, after }: FileChange) {
  if (readFileSync(join(folder, path), "utf8") !== before) fail("migrate-changed", { path });
  return { path, kind: "changed", before, after } as const;
}
