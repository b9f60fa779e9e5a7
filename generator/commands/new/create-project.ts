import { fail } from "../../shared/diagnostics/diagnostic.js";
import { packageRoot } from "../../shared/package-root.js";
import { folderExists, pathStateAt } from "../../shared/project/path-state.js";
import type { ProjectOptions } from "../../shared/project/project-options.js";
import { packageNameProblem } from "../../shared/project/package-name.js";
import { placeFiles } from "../../shared/files/place-files.js";
import { printRecord, recordPath } from "../../shared/project/project-record.js";
import { renderProject } from "./render-project.js";
import type { Disk } from "../../shared/files/disk.js";
import type { FileDifference } from "../../shared/files/file-difference.js";

export interface CreateProjectOptions {
  /** Where the project is made; the folder need not exist, and may hold other files. */
  readonly folder: string;
  readonly project: ProjectOptions;
  /** Default: writes. */
  readonly dryRun?: boolean;
  /** For tests of disks that fail. */
  readonly disk?: Disk;
}

export interface CreateProjectResult {
  /** The files of the project, sorted. */
  readonly files: readonly string[];
}

/**
 * Makes a project: a server or a client that builds, lints and passes its tests. Needs no network. Either all files are
 * written or none, and nothing that is there is overwritten.
 *
 * @throws DiagnosticError skeleton-name-invalid, skeleton-conflict, skeleton-folder-is-file, output-not-writable
 */
export async function createProject(options: CreateProjectOptions): Promise<CreateProjectResult> {
  const { folder, project, dryRun = false, disk } = options;
  const problem = packageNameProblem(project.name);
  if (problem !== undefined) fail("skeleton-name-invalid", { name: project.name, reason: problem });
  const texts = await renderProject(project);
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

/** Lists all that is in the way, so that one look is enough. */
function refuseConflicts(folder: string, paths: Iterable<string>): void {
  if (!folderExists(folder)) return;
  const taken = [...paths].flatMap((path) => {
    const standing = pathStateAt(folder, path);
    return standing.kind === "absent" ? [] : [standing.kind === "file" ? path : standing.at];
  });
  if (taken.length > 0) fail("skeleton-conflict", { path: folder, files: [...new Set(taken)].join(", ") });
}
