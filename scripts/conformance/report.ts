import { type Job, leftOut, nameOf, revisions, roles } from "./scenarios.js";
import { isFailed, type Verdict } from "./verdict.js";

/** One table per role, with a row per scenario and a column per revision. The cells contain the number of passed checks. */
export function table(verdicts: readonly Verdict[]): string {
  return roles
    .map((role) => {
      const ofRole = verdicts.filter(({ job }) => job.role === role);
      const scenarios = [...new Set(ofRole.map(({ job }) => nameOf(job)))];
      const rows = scenarios.map((scenario) => [
        scenario,
        ...revisions.map((revision) =>
          cell(ofRole.find(({ job }) => nameOf(job) === scenario && job.revision === revision)),
        ),
      ]);
      return scenarios.length === 0 ? "" : grid([[role, ...revisions], ...rows]);
    })
    .filter((one) => one !== "")
    .join("\n\n");
}

function cell(verdict: Verdict | undefined): string {
  if (!verdict) return "";
  const { passed, skipped, problems } = verdict;
  if (problems.length > 0) return "FAILED";
  return skipped.length > 0 ? `${passed}, ${skipped.length} skipped` : String(passed);
}

/** A table of Markdown. */
export function grid(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return rows.flatMap((row, index) => (index === 0 ? [line(row), rule] : [line(row)])).join("\n");
}

/** The problems of each scenario. @param how a difference to other runs, to be printed after the revision */
export function problems(verdicts: readonly Verdict[], how = ""): string {
  return verdicts
    .filter(isFailed)
    .map(({ job, problems }) =>
      [`${job.role} ${nameOf(job)} at ${job.revision}${how}`, ...problems.map((problem) => `  - ${problem}`)].join(
        "\n",
      ),
    )
    .join("\n\n");
}

/** The scenarios that do not pass, for a reason of the specification. @param how as for `problems` */
export function excuses(verdicts: readonly Verdict[], how: string): string {
  return verdicts
    .flatMap(({ job, excuse }) =>
      excuse === undefined ? [] : `${job.role} ${nameOf(job)} at ${job.revision}${how} cannot pass: ${excuse}`,
    )
    .join("\n");
}

/** The checks that the suite skipped. */
export function skips(verdicts: readonly Verdict[]): string {
  return verdicts
    .filter(({ skipped }) => skipped.length > 0)
    .map(({ job, skipped }) => `${job.role} ${nameOf(job)} at ${job.revision} skipped ${skipped.join(", ")}`)
    .join("\n");
}

/** The scenarios that are excluded on purpose. */
export function omissions(omitted: readonly Job[]): string {
  const lines = Object.entries(leftOut).map(([prefix, why]) => {
    const names = new Set(omitted.map(({ scenario }) => scenario).filter((name) => name.startsWith(prefix)));
    const rest = [...names].map((name) => name.slice(prefix.length)).join(", ") || "none listed";
    return `  ${prefix}* (${why}): ${rest}`;
  });
  return `Not run:\n${lines.join("\n")}`;
}

/** A line per role and revision. @param how a difference to other runs, to be printed after the revision */
export function summary(verdicts: readonly Verdict[], how = ""): string {
  const lines = roles.flatMap((role) =>
    revisions.map((revision) => {
      const some = verdicts.filter(({ job }) => job.role === role && job.revision === revision);
      const passed = some.filter((verdict) => verdict.problems.length === 0).length;
      const checks = some.reduce((sum, verdict) => sum + verdict.passed, 0);
      const counts = `${passed} of ${some.length} scenarios, ${checks} checks`;
      return some.length === 0 ? "" : `${role} ${revision}${how}: ${counts}\n`;
    }),
  );
  return lines.join("");
}
