import { count } from "../../shared/command/count.js";
import { escapeLine } from "../../shared/command/escape-controls.js";
import type { ValidationReport } from "./validation-report.js";

/** Prints a report as text: one finding per line with its section below, and a summary. */
export function printReport(
  { revision, extensions = [], messages, findings, counts }: ValidationReport,
  name: string,
): string {
  const lines = findings.flatMap(({ line, severity, rule, path, message, link }) => [
    `${escapeLine(name)}:${line}: ${severity}[${rule}]: ${path}: ${message}`,
    ...(link === undefined ? [] : [`  ${link}`]),
  ]);
  const { error, warning, note } = counts;
  const left = error + warning + note - findings.length;
  const protocol = [revision ?? "no revision", ...(extensions.length > 0 ? [extensions.join(" and ")] : [])];
  const total = `${count(messages, "message")} in ${protocol.join(" with ")}: ${count(error, "error")}, ${count(warning, "warning")}, ${count(note, "note")}`;
  return `${[...lines, ...(left > 0 ? [`and ${left} more`] : []), total].join("\n")}\n`;
}
