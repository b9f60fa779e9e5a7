import { assertNever } from "../../shared/assert-never.js";
import { count } from "../../shared/command/count.js";
import { safeLine, quote } from "../../shared/model/print-type-expression.js";
import type { CompareSchemaFinding, CompareSchemaReport } from "./compare-schema-report.js";

export const reportFormats = ["text", "json", "markdown"] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** Prints a report, ending with a line break. */
export function formatReport(report: CompareSchemaReport, format: ReportFormat): string {
  switch (format) {
    case "text":
      return textReport(shown(report));
    case "json":
      return `${JSON.stringify(report, null, 2)}\n`;
    case "markdown":
      return markdownReport(shown(report));
    default:
      return assertNever(format);
  }
}

/** Escapes names, which can be any string in a schema.json. */
function shown({ revision, ...report }: CompareSchemaReport): CompareSchemaReport {
  return {
    ...report,
    ...(revision !== undefined && { revision: safeLine(revision) }),
    findings: report.findings.map((finding) => ({
      ...finding,
      type: safeLine(finding.type),
      path: safeLine(finding.path),
      schemaTs: safeLine(finding.schemaTs),
      schemaJson: safeLine(finding.schemaJson),
      consequence: safeLine(finding.consequence),
    })),
  };
}

type Names = readonly [string, string];

/** The names of the two files in reports. Two files of one syntax are mcpwright's and another one. */
function namesOf({ files: { json } }: CompareSchemaReport): Names {
  return /\.[cm]?ts$/.test(json) ? ["mcpwright's schema.ts", "the other schema.ts"] : ["schema.ts", "schema.json"];
}

function textReport(report: CompareSchemaReport): string {
  const types = byType(report.findings).map(([type, findings]) =>
    [type, ...findings.flatMap((finding) => textFinding(finding, namesOf(report)))].join("\n"),
  );
  const rules = report.counts.map(
    ({ id, findings, types, sentence }) => `  ${id}: ${findings} in ${count(types, "type")}. ${sentence}`,
  );
  return [...types, [summary(report), ...rules].join("\n")].map((part) => `${part}\n`).join("\n");
}

function textFinding(
  { path, schemaTs, schemaJson, explanation, ...finding }: CompareSchemaFinding,
  [first, second]: Names,
): readonly string[] {
  const width = Math.max(first.length, second.length) + 1;
  return [
    `  ${path === "" ? "(the type)" : path} [${explanation.id}]`,
    `    ${`${first}:`.padEnd(width)} ${short(schemaTs)}`,
    `    ${`${second}:`.padEnd(width)} ${short(schemaJson)}`,
    `    ${finding.consequence}`,
    ...(finding.correction === undefined ? [] : [`    put right by: ${finding.correction}`]),
    ...evidenceLines(finding).map((line) => `    ${line}`),
  ];
}

function markdownReport(report: CompareSchemaReport): string {
  const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
    [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const rules = table(
    ["explained by", "findings", "types", "what happens"],
    report.counts.map(({ id, findings, types, sentence }) => [`\`${id}\``, `${findings}`, `${types}`, cell(sentence)]),
  );
  const types = byType(report.findings).flatMap(([type, findings]) => [
    `## ${cell(type)}`,
    table(
      ["place", ...namesOf(report), "explained by", "consequence"],
      findings.map((finding) => [
        finding.path === "" ? "the type" : code(finding.path),
        code(short(finding.schemaTs)),
        code(short(finding.schemaJson)),
        `\`${finding.explanation.id}\``,
        [
          cell(finding.consequence),
          ...(finding.correction === undefined ? [] : [`Put right by ${code(finding.correction)}.`]),
          ...evidenceLines(finding).map(code),
        ].join("<br>"),
      ]),
    ),
  ]);
  const [first, second] = namesOf(report);
  const subject = report.extension ?? report.revision;
  const title = `# How ${second} differs from ${first}${subject === undefined ? "" : `: ${cell(subject)}`}`;
  return [title, cell(summary(report)), ...(report.counts.length > 0 ? [rules] : []), ...types]
    .map((part) => `${part}\n`)
    .join("\n");
}

/** One line with the number of differences, the number per explanation, and whether any is unexplained. */
function summary({ revision, extension, findings, counts, explained }: CompareSchemaReport): string {
  const subject = extension ?? revision;
  const what = subject === undefined ? "" : `${subject}: `;
  if (findings.length === 0) return `${what}both files say the same.`;
  const types = new Set(findings.map(({ type }) => type)).size;
  const parts = counts.map(({ id, findings }) => `${id} ${findings}`).join(", ");
  const end = explained ? "Everything is explained." : "Not everything is explained.";
  return `${what}${count(findings.length, "finding")} in ${count(types, "type")} (${parts}). ${end}`;
}

function byType(
  findings: readonly CompareSchemaFinding[],
): readonly (readonly [string, readonly CompareSchemaFinding[]])[] {
  return [...new Set(findings.map(({ type }) => type))].map(
    (type) => [type, findings.filter((finding) => finding.type === type)] as const,
  );
}

function evidenceLines({ evidence = [] }: Pick<CompareSchemaFinding, "evidence">): readonly string[] {
  return evidence.map(({ instance, accepted }) => `${quote(instance)} is ${accepted.join(" and ")}`);
}

/** Truncates long types; the JSON report contains them in full. */
function short(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${text.replaceAll("|", "\\|")}${pad}${fence}`;
}

function cell(text: string): string {
  return text.replace(/[<>&]/g, (found) => ({ "<": "&lt;", ">": "&gt;" })[found] ?? "&amp;").replaceAll("|", "\\|");
}
