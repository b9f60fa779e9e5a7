import { fail } from "../../shared/diagnostics/diagnostic.js";
import { packageRoot } from "../../shared/package-root.js";
import { isFolderThere, standingAt } from "../../shared/skeleton/folder.js";
import type { SkeletonOptions } from "../../shared/skeleton/options.js";
import { packageNameProblem } from "../../shared/skeleton/package-name.js";
import { placeFiles } from "../../shared/files/place-files.js";
import { printRecord, recordPath } from "../../shared/skeleton/record.js";
import { renderSkeleton } from "./render-skeleton.js";
import type { Disk } from "../../shared/files/disk.js";
import type { Difference } from "../../shared/files/difference.js";

export interface NewSkeletonOptions {
  /** Where the project is made; the folder need not exist, and may hold other files. */
  readonly folder: string;
  readonly skeleton: SkeletonOptions;
  /** Default: writes. */
  readonly dryRun?: boolean;
  /** For tests of disks that fail. */
  readonly disk?: Disk;
}

export interface NewSkeletonResult {
  /** The files of the project, sorted. */
  readonly files: readonly string[];
}

/**
 * Makes a project: a server or a client that builds, lints and passes its tests. Needs no network. Either all files are
 * written or none, and nothing that is there is overwritten.
 *
 * @throws DiagnosticError skeleton-name-invalid, skeleton-conflict, skeleton-folder-is-file, output-not-writable
 */
export async function newSkeleton(options: NewSkeletonOptions): Promise<NewSkeletonResult> {
  const { folder, skeleton, dryRun = false, disk } = options;
  const problem = packageNameProblem(skeleton.name);
  if (problem !== undefined) fail("skeleton-name-invalid", { name: skeleton.name, reason: problem });
  const texts = await renderSkeleton(skeleton);
  const record = printRecord({ version: packageRoot().version, options: skeleton, files: texts });
  const files = new Map([...texts, [recordPath, record]]);
  refuseConflicts(folder, files.keys());
  if (!dryRun) {
    const look = (): Difference[] => {
      refuseConflicts(folder, files.keys());
      return [...files].map(([path, after]) => ({ path, kind: "added", after }));
    };
    await placeFiles(folder, look, disk);
  }
  return { files: [...files.keys()].sort() };
}

/** Lists all that is in the way, so that one look is enough. */
function refuseConflicts(folder: string, paths: Iterable<string>): void {
  if (!isFolderThere(folder)) return;
  const taken = [...paths].flatMap((path) => {
    const standing = standingAt(folder, path);
    return standing.kind === "absent" ? [] : [standing.kind === "file" ? path : standing.at];
  });
  if (taken.length > 0) fail("skeleton-conflict", { path: folder, files: [...new Set(taken)].join(", ") });
}
