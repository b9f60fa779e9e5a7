import { count } from "../../shared/command/count.js";
import type { GenerateResult } from "../../pipeline/generate.js";

/** A summary of a run in one line. */
export function summary(
  { report, revisions, extensions }: Pick<GenerateResult, "report" | "revisions" | "extensions">,
  out: string,
  verb = "were",
): string {
  const { added, changed, removed, unchanged } = report;
  const counts = [
    ...(revisions.length > 0 || extensions.length === 0 ? [count(revisions.length, "revision")] : []),
    ...(extensions.length > 0 ? [count(extensions.length, "extension")] : []),
  ];
  return `${counts.join(" and ")} in ${out}: ${added.length} files ${verb} added, ${changed.length} changed, ${removed.length} removed; ${unchanged} unchanged`;
}
