import type { DiffCategory, DiffFinding, DiffReport } from "../finding.js";
import { summary } from "./text.js";

/** Workflow commands of GitHub Actions: an error for what fails the run, a notice for additions, a warning for the rest. */
export function githubReport(report: DiffReport, failOn: ReadonlySet<DiffCategory>): string {
  const lines = report.findings.map((finding) => annotation(finding, failOn));
  const stale = report.staleIgnores.map(
    ({ rule, at }) =>
      `::warning title=diff::${data(`the ignore list names ${rule} at ${at}, which matches no finding`)}`,
  );
  return `${[...lines, ...stale, `::notice title=diff::${data(summary(report))}`].join("\n")}\n`;
}

function annotation(finding: DiffFinding, failOn: ReadonlySet<DiffCategory>): string {
  const { category, rule, message, receiver, sender, source, hint, before, after } = finding;
  const level = failOn.has(category) ? "error" : category === "addition" ? "notice" : "warning";
  const place = after?.file !== undefined ? after : before;
  const file = place?.file === undefined ? "" : `file=${property(place.file)},line=${place.line ?? 1},`;
  const text = [message, `Receiver: ${receiver}`, `Sender: ${sender}`, `Source: ${source}`, `Hint: ${hint}`].join("\n");
  return `::${level} ${file}title=${property(`${category}: ${rule}`)}::${data(text)}`;
}

/** Nothing in a text can end the command or start another one. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
