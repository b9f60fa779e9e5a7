import type { GenerateResult } from "../../pipeline/generate.js";

/** A summary of a run in one line. */
export function summary(
  { report, revisions }: Pick<GenerateResult, "report" | "revisions">,
  out: string,
  verb = "were",
): string {
  const { added, changed, removed, unchanged } = report;
  return `${revisions.length} revision${revisions.length === 1 ? "" : "s"} in ${out}: ${added.length} files ${verb} added, ${changed.length} changed, ${removed.length} removed; ${unchanged} unchanged`;
}
