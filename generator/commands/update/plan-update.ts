import { type Diagnostic, diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { pathStateAt } from "../../shared/project/path-state.js";
import type { ProjectRecord } from "../../shared/project/project-record.js";
import type { FileDifference } from "../../shared/files/file-difference.js";
import { decideFileUpdate } from "./decide-file-update.js";

/** The suffix of the proposal beside a file that cannot be merged. */
const proposalSuffix = ".mcpwright-new";

export interface UpdatePlan {
  readonly differences: readonly FileDifference[];
  readonly findings: readonly Diagnostic[];
  /** The base texts of the next update. */
  readonly files: ReadonlyMap<string, string>;
  readonly report: {
    readonly added: readonly string[];
    readonly replaced: readonly string[];
    readonly merged: readonly string[];
    readonly removed: readonly string[];
    readonly kept: readonly { readonly path: string; readonly reason: string }[];
  };
}

/** Plans the update of every file that the templates have or had. Reads the disk and writes nothing. */
export function planUpdate(
  folder: string,
  { files: bases }: ProjectRecord,
  theirs: ReadonlyMap<string, string>,
  label: string,
): UpdatePlan {
  const differences: FileDifference[] = [];
  const findings: Diagnostic[] = [];
  const files = new Map(theirs);
  const [added, replaced, merged, removed]: [string[], string[], string[], string[]] = [[], [], [], []];
  const kept: { path: string; reason: string }[] = [];
  /** Leaves a file undecided, so that the next update starts from the same base text. */
  const postpone = (path: string, finding: Diagnostic): void => {
    findings.push(finding);
    const base = bases.get(path);
    if (base === undefined) files.delete(path);
    else files.set(path, base);
  };

  for (const path of [...new Set([...bases.keys(), ...theirs.keys()])].sort()) {
    const proposal = path + proposalSuffix;
    if (pathStateAt(folder, proposal).kind !== "absent") {
      postpone(path, diagnostic("skeleton-unresolved", { path, proposal }));
      continue;
    }
    const [base, now, standing] = [bases.get(path), theirs.get(path), pathStateAt(folder, path)];
    if (standing.kind === "obstacle") {
      if (base !== now) postpone(path, diagnostic("skeleton-obstacle", { path, at: standing.at }));
      continue;
    }
    const yours = standing.kind === "file" ? standing.text : undefined;
    // Keeps the line ends of the file.
    const put = (text: string): FileDifference => {
      const after = standing.kind === "file" && standing.hasCrlf ? text.replaceAll("\n", "\r\n") : text;
      return { path, after, ...(yours === undefined ? { kind: "added" } : { kind: "changed", before: yours }) };
    };
    const verdict = decideFileUpdate({ base, yours, theirs: now }, label);
    switch (verdict.kind) {
      case "current":
        break;
      case "add":
      case "replace":
      case "merge":
        ({ add: added, replace: replaced, merge: merged })[verdict.kind].push(path);
        differences.push(put(verdict.text));
        break;
      case "remove":
        removed.push(path);
        differences.push({ path, kind: "removed", ...(yours !== undefined && { before: yours }) });
        break;
      case "keep":
        kept.push({ path, reason: verdict.reason });
        break;
      case "conflict":
        findings.push(diagnostic("skeleton-merge-conflict", { path, proposal }));
        differences.push({ path: proposal, kind: "added", after: verdict.text });
        break;
    }
  }
  return { differences, findings, files, report: { added, replaced, merged, removed, kept } };
}
