import { fail } from "../../shared/diagnostics/diagnostic.js";
import { packageRoot } from "../../shared/package-root.js";
import { folderExists, pathStateAt } from "../../shared/project/path-state.js";
import { isProjectOptions } from "../../shared/project/is-project-options.js";
import type { ProjectOptions } from "../../shared/project/project-options.js";
import { packageNameProblem } from "../../shared/project/package-name.js";
import { placeFiles } from "../../shared/files/place-files.js";
import { printRecord, recordPath } from "../../shared/project/project-record.js";
import { renderProject } from "./render-project.js";
import type { Disk } from "../../shared/files/disk.js";
import type { FileDifference } from "../../shared/files/file-difference.js";

export interface CreateProjectOptions {
  /** The project folder; it need not exist, and may contain other files. */
  readonly folder: string;
  readonly project: ProjectOptions;
  /** Whether to write nothing. Default: `false`. */
  readonly dryRun?: boolean;
  /** For tests of failing disks. */
  readonly disk?: Disk;
}

export interface CreateProjectResult {
  /** The files of the project, sorted. */
  readonly files: readonly string[];
}

/**
 * Creates a server or client project that builds, lints and passes its tests. Works offline. Writes all files or none, and
 * never overwrites an existing file.
 *
 * @throws DiagnosticError skeleton-name-invalid, skeleton-options-invalid, skeleton-conflict, skeleton-folder-is-file, output-not-writable
 */
export async function createProject(options: CreateProjectOptions): Promise<CreateProjectResult> {
  const { folder, project, dryRun = false, disk } = options;
  const problem = packageNameProblem(project.name);
  if (problem !== undefined) fail("skeleton-name-invalid", { name: project.name, reason: problem });
  if (!isProjectOptions(project)) fail("skeleton-options-invalid", { options: JSON.stringify(project) });
  const texts = await renderProject(project, folder);
  const record = printRecord({ version: packageRoot().version, options: project, files: texts });
  const files = new Map([...texts, [recordPath, record]]);
  refuseConflicts(folder, files.keys());
  if (!dryRun) {
    const look = (): FileDifference[] => {
      refuseConflicts(folder, files.keys());
      return [...files].map(([path, after]) => ({ path, kind: "added", after }));
    };
    await placeFiles(folder, look, disk);
  }
  return { files: [...files.keys()].sort() };
}

/** @throws DiagnosticError skeleton-conflict with all conflicting paths */
function refuseConflicts(folder: string, paths: Iterable<string>): void {
  if (!folderExists(folder)) return;
  const taken = [...paths].flatMap((path) => {
    const standing = pathStateAt(folder, path);
    return standing.kind === "absent" ? [] : [standing.kind === "file" ? path : standing.at];
  });
  if (taken.length > 0) fail("skeleton-conflict", { path: folder, files: [...new Set(taken)].join(", ") });
}
