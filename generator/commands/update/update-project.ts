import { join } from "node:path";
import { type Diagnostic, fail } from "../../shared/diagnostics/diagnostic.js";
import { packageRoot } from "../../shared/package-root.js";
import { folderExists, pathStateAt } from "../../shared/project/path-state.js";
import { placeFiles } from "../../shared/files/place-files.js";
import { parseRecord, printRecord, recordPath, type ProjectRecord } from "../../shared/project/project-record.js";
import { renderProject } from "../new/render-project.js";
import { withLf } from "../../shared/files/content-hash.js";
import type { Disk } from "../../shared/files/disk.js";
import { unifiedDiff } from "../../shared/files/unified-diff.js";
import type { FileDifference } from "../../shared/files/file-difference.js";
import { planUpdate, type UpdatePlan } from "./plan-update.js";

export interface UpdateProjectOptions {
  /** The project. Default: the current folder. */
  readonly folder?: string;
  /** `check` and `dry-run` write nothing and report the differences. Default: `write`. */
  readonly mode?: "write" | "check" | "dry-run";
  /** For tests of disks that fail. */
  readonly disk?: Disk;
}

/** What was done, or would be; sorted paths. */
export interface UpdateProjectResult {
  /** The version that made or last updated the project, and this one. */
  readonly from: string;
  readonly to: string;
  readonly added: readonly string[];
  /** Files that the user had not changed. */
  readonly replaced: readonly string[];
  /** Files with the changes of both sides. */
  readonly merged: readonly string[];
  readonly removed: readonly string[];
  /** Files left unchanged, because the user's change or deletion takes precedence. */
  readonly kept: readonly { readonly path: string; readonly reason: string }[];
  /** Findings about files that need a decision. */
  readonly findings: readonly Diagnostic[];
  /** A unified diff of the changes that were, or would be, written. */
  readonly diff: string;
}

/**
 * Merges the current templates into a project. Changes of the user are never overwritten: each file is merged, or left
 * unchanged with a proposal beside it. Works offline.
 *
 * @throws DiagnosticError skeleton-record-missing, skeleton-record-malformed, skeleton-newer, output-not-writable
 */
export async function updateProject(options: UpdateProjectOptions = {}): Promise<UpdateProjectResult> {
  const { folder = ".", mode = "write", disk } = options;
  const { version } = packageRoot();
  const first = readRecord(folder);
  const theirs = await renderProject(first.record.options, folder);
  const look = (): { record: ProjectRecord; plan: UpdatePlan } => {
    const { record, text } = readRecord(folder);
    // Another run may have updated the project meanwhile; the options do not change.
    if (JSON.stringify(record.options) !== JSON.stringify(first.record.options))
      fail("skeleton-record-malformed", { path: join(folder, recordPath), reason: "it was changed during the update" });
    const plan = planUpdate(folder, record, theirs, `mcpwright ${version}`);
    const next = printRecord({ version, options: record.options, files: plan.files });
    const ofRecord: FileDifference[] =
      next === text ? [] : [{ path: recordPath, kind: "changed", before: text, after: next }];
    return { record, plan: { ...plan, differences: [...plan.differences, ...ofRecord] } };
  };
  let seen = look();
  if (mode === "write" && seen.plan.differences.length > 0) {
    await placeFiles(folder, () => (seen = look()).plan.differences, disk);
  }
  const { record, plan } = seen;
  const visible = plan.differences
    .filter(({ path }) => path !== recordPath)
    .map((one) => ({ ...one, ...(one.after !== undefined && { after: withLf(one.after) }) }));
  return { from: record.version, to: version, ...plan.report, findings: plan.findings, diff: unifiedDiff(visible) };
}

function readRecord(folder: string): { record: ProjectRecord; text: string } {
  const path = join(folder, recordPath);
  if (!folderExists(folder)) fail("skeleton-record-missing", { path });
  const standing = pathStateAt(folder, recordPath);
  if (standing.kind !== "file") return fail("skeleton-record-missing", { path });
  return { record: parseRecord(standing.text, path), text: standing.text };
}
