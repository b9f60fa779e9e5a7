import { join } from "node:path";
import { diagnostic, DiagnosticError, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { commitFiles, isHalfWritten } from "../../shared/files/commit-files.js";
import { deferSignals } from "../../shared/files/defer-signals.js";
import { ignoreErrors, realDisk, type Disk } from "../../shared/files/disk.js";
import { readFolderState, type FolderState } from "./folder-state.js";
import { makeFolders } from "../../shared/files/make-folders.js";
import { acquireLock, lockName, type Lock } from "../../shared/files/lock.js";
import { assertOutputPaths } from "../../shared/files/output-path.js";
import { makeStaging, stageFiles } from "../../shared/files/stage-files.js";
import { unifiedDiff } from "../../shared/files/unified-diff.js";
import { planWrite, type ManifestFacts, type WritePlan } from "./write-plan.js";
import type { FileDifference } from "../../shared/files/file-difference.js";

export interface WriteOptions {
  /** `check` and `dry-run` write nothing and report the differences. */
  readonly mode: "write" | "check" | "dry-run";
  /** Which files of an earlier run stay although they are not generated this time. Default: none. */
  readonly keep?: (path: string) => boolean;
  /**
   * Names directly in the folder that may exist before the first run. Default: names that tools create in a package's
   * folder.
   */
  readonly ignore?: readonly string[];
  /** Whether to stop early, for a caller that defers signals. Default: signals are deferred here. */
  readonly interrupted?: () => boolean;
  /** For tests with disks that fail. */
  readonly disk?: Disk;
}

/** The changes made, or to make. Paths are sorted and include the manifest. */
export interface WriteReport {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  /** For `check` and `dry-run`: files changed by hand, which `write` does not overwrite; absent when there are none. */
  readonly edited?: readonly string[];
  /** For `check` and `dry-run`: a unified diff from the disk to the generated files. */
  readonly diff?: string;
}

const buildOutput = [
  ".DS_Store",
  ".git",
  "coverage",
  "dist",
  "node_modules",
  "package-lock.json",
  "tsconfig.tsbuildinfo",
];

/**
 * Makes `folder` contain exactly these generated files. On any error it contains what it contained before.
 * Only files that an earlier run wrote and that have not changed since are overwritten or removed.
 *
 * @throws DiagnosticError output-is-file, output-foreign, output-edited, output-not-writable, output-half-written
 */
export async function writeOutput(
  folder: string,
  files: ReadonlyMap<string, string>,
  meta: ManifestFacts,
  options: WriteOptions,
): Promise<WriteReport> {
  assertOutputPaths(files.keys());
  const { mode, keep = () => false, ignore = buildOutput, disk = realDisk } = options;
  const look = (): Look => {
    const state = readFolderState(folder, files.keys(), ignore);
    return { state, plan: planWrite(state, files, meta, keep) };
  };

  const { state, plan } = look();
  if (mode !== "write") {
    refuse(folder, plan.foreign, []);
    const { edited } = plan;
    return { ...report(plan), ...(edited.length > 0 && { edited }), diff: unifiedDiff(plan.differences) };
  }
  // A folder that is not ours or is up to date stays untouched; it does not even get a lock.
  if (state.names.length && !state.manifest && !state.leftovers.length) refuse(folder, plan.foreign, []);
  if (!plan.differences.length && !plan.foreign.length && !plan.edited.length && !state.leftovers.length)
    return report(plan);

  const run = async (interrupted: () => boolean): Promise<WriteReport> => {
    const stop = (): void => {
      if (interrupted()) throw new Error("interrupted");
    };
    const created: string[] = [];
    try {
      makeFolders(folder, created, disk);
      const lock = await acquireLock(folder, disk);
      try {
        return await execute(folder, look(), lock, disk, stop);
      } finally {
        ignoreErrors(lock.release);
      }
    } catch (error) {
      for (const path of created) ignoreErrors(() => disk.removeEmptyFolder(path));
      throw error;
    }
  };
  return options.interrupted ? run(options.interrupted) : deferSignals(run);
}

interface Look {
  readonly state: FolderState;
  readonly plan: WritePlan;
}

async function execute(
  folder: string,
  { state, plan }: Look,
  lock: Lock,
  disk: Disk,
  stop: () => void,
): Promise<WriteReport> {
  refuse(folder, plan.foreign, plan.edited);
  const staging = makeStaging(folder, disk);
  try {
    const moves = await stageFiles(folder, staging, plan.differences, disk, stop);
    lock.assertHeld();
    commitFiles(folder, staging, moves, plan.abandoned, disk);
  } catch (error) {
    if (!isHalfWritten(error)) ignoreErrors(() => disk.remove(staging));
    throw error;
  }
  const leftovers = state.leftovers.filter(({ name }) => name !== lockName).map(({ name }) => join(folder, name));
  for (const path of [...leftovers, staging]) ignoreErrors(() => disk.remove(path));
  return report(plan);
}

function report({ differences, unchanged }: WritePlan): WriteReport {
  const paths = (kind: FileDifference["kind"]): readonly string[] =>
    differences.filter((one) => one.kind === kind).map(({ path }) => path);
  return { added: paths("added"), changed: paths("changed"), removed: paths("removed"), unchanged };
}

/** Throws one error with every reason not to write. */
function refuse(folder: string, foreign: readonly string[], edited: readonly string[]): void {
  const names = [...foreign.slice(0, 10), ...(foreign.length > 10 ? [`${foreign.length - 10} more`] : [])].join(", ");
  const diagnostics = [
    ...(names ? [diagnostic("output-foreign", { path: folder, files: names })] : []),
    ...edited.map((path) => outputEdited(join(folder, path))),
  ];
  if (diagnostics.length) throw new DiagnosticError(diagnostics);
}

/** Reports a generated file that was changed by hand. */
export function outputEdited(path: string): Diagnostic {
  return diagnostic("output-edited", { path, source: "Facts belong in the schema or its overlay." });
}
