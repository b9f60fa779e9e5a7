import { categories, categoryTexts, type DiffFinding, type DiffReport, type DiffPlace } from "../finding.js";
import { groupFindings } from "./group-findings.js";
import { placeText, short, summary } from "./text.js";

/** The report as Markdown: a section per category, a table per rule. */
export function markdownReport(report: DiffReport): string {
  const { before, after, findings, counts } = report;
  const parts = [
    `# From ${cell(before.revision)} to ${cell(after.revision)}`,
    `${cell(summary(report))}.`,
    ...(findings.length === 0
      ? []
      : [
          table(
            ["Category", "Findings", "Meaning"],
            categories
              .filter((category) => counts[category] > 0)
              .map((category) => [`[${category}](#${category})`, `${counts[category]}`, categoryTexts[category]]),
          ),
        ]),
    ...categories.flatMap((category) => {
      const own = findings.filter((finding) => finding.category === category);
      return own.length === 0 ? [] : [`## ${category}`, ...groupFindings(own).flatMap(groupSection)];
    }),
    ...ignoredSection(report),
  ];
  return `${parts.join("\n\n")}\n`;
}

function groupSection(group: ReturnType<typeof groupFindings>[number]): readonly string[] {
  const { rule, purpose, receiver, sender, source, hint, findings } = group;
  return [
    `### ${rule}`,
    cell(purpose),
    [
      `**Receiver:** ${cell(receiver)}`,
      `**Sender:** ${cell(sender)}`,
      `**Source:** ${cell(source)}`,
      `**Hint:** ${cell(hint)}`,
    ].join("\\\n"),
    findings.map(item).join("\n"),
  ];
}

function item({ message, before, after }: DiffFinding): string {
  return [`- ${cell(message)}`, ...point("before", before), ...point("after", after)].join("\n");
}

function point(which: string, state: DiffPlace | undefined): readonly string[] {
  if (!state) return [];
  const { text, link } = state;
  const place = placeText(state);
  const address = link !== undefined && /^https?:/.test(link) ? link.replace(/[()\s|<>\\]/g, encodeURIComponent) : "";
  const where = [place === "" ? "" : cell(place), address === "" ? "" : `[specification](${address})`];
  const shown = where.filter((part) => part !== "").join(", ");
  return [`  - ${which}: ${code(short(text, 120))}${shown === "" ? "" : ` (${shown})`}`];
}

function ignoredSection({ ignored, staleIgnores }: DiffReport): readonly string[] {
  return [
    ...(ignored.length === 0
      ? []
      : [
          "## Ignored",
          table(
            ["Rule", "Place", "Reason"],
            ignored.map(({ finding, reason }) => [code(finding.rule), inTable(code(finding.at)), cell(reason)]),
          ),
        ]),
    ...(staleIgnores.length === 0
      ? []
      : [
          "## Ignored, but not there",
          table(
            ["Rule", "Place"],
            staleIgnores.map(({ rule, at }) => [inTable(code(rule)), inTable(code(at))]),
          ),
        ]),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function code(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ");
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

function inTable(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** Text that is data: on one line, without markup but for code spans, which our own sentences have. */
function cell(text: string): string {
  return text
    .replace(/[\r\n]+/g, " ")
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/[<>&]/g, (found) => entities[found] ?? "").replace(/[[\]*_\\]/g, "\\$&"),
    )
    .join("")
    .replaceAll("|", "\\|");
}

const entities: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };
