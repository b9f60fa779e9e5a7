import type { Finding } from "./check.js";

/** A table of the number of findings by rule and top folder. */
export function countTable(findings: readonly Finding[]): string {
  const folders = [...new Set(findings.map(folderOf))].sort();
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  const count = (rule?: string, folder?: string): string =>
    String(
      findings.filter(
        (finding) =>
          (rule === undefined || finding.rule === rule) && (folder === undefined || folderOf(finding) === folder),
      ).length,
    );
  const rows = [
    ["", ...folders, "all"],
    ...rules.map((rule) => [rule, ...folders.map((folder) => count(rule, folder)), count(rule)]),
    ["all", ...folders.map((folder) => count(undefined, folder)), count()],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    )
    .join("\n");
}

function folderOf({ file }: Finding): string {
  const [folder = "", ...rest] = file.split("/");
  return rest.length === 0 ? "." : folder;
}
