/** Prints docs/reference/revisions: a report per pair of neighbouring revisions, the changelogs, and the rules. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { format, resolveConfig } from "prettier";
import { reportOn } from "../generator/commands/diff/diff.js";
import { categories, categoryTexts, type DiffReport } from "../generator/commands/diff/finding.js";
import { formatDiff } from "../generator/commands/diff/formats/format-report.js";
import { readRevision } from "../generator/commands/diff/read-revision.js";
import { rules } from "../generator/commands/diff/rules.js";
import { knownRevisions } from "../generator/shared/sources/schema-folder.js";
import { changelogs, type Changelog } from "../test/generator/commands/diff/changelogs.js";

const folder = join(import.meta.dirname, "../docs/reference/revisions");

/** File name -> expected content. */
export async function revisionDocuments(): Promise<ReadonlyMap<string, string>> {
  const revisions = await Promise.all(knownRevisions().map((revision) => readRevision(revision, revision)));
  const reports = revisions.slice(1).flatMap((after, index) => {
    const before = revisions[index];
    return before ? [reportOn(before, after)] : [];
  });
  const documents = new Map([
    ["README.md", await markdown(index(reports))],
    ["rules.md", await markdown(rulesDocument())],
  ]);
  for (const report of reports) {
    documents.set(`${nameOf(report)}.md`, await markdown(await formatDiff(report, "markdown")));
    documents.set(`${nameOf(report)}.html`, await formatDiff(report, "html"));
  }
  return documents;
}

function nameOf({ before, after }: Pick<DiffReport, "before" | "after">): string {
  return `${before.revision}-to-${after.revision}`;
}

function index(reports: readonly DiffReport[]): string {
  return [
    "# Changes between revisions",
    "Use these reports to see what changes from one revision of the protocol to the next. To compare any other two revisions or schema files, run `mcpwright diff`:",
    "```sh\nnpx mcpwright diff 2025-06-18 2026-07-28\n```",
    "Each report is a Markdown file and an HTML page with search and filters. To use the HTML page, download it and open it in a browser.",
    table(
      ["From", "To", ...categories.filter((category) => category !== "unstated"), "Markdown", "HTML"],
      reports.map((report) => [
        report.before.revision,
        report.after.revision,
        ...categories.filter((category) => category !== "unstated").map((category) => String(report.counts[category])),
        `[report](${nameOf(report)}.md)`,
        `[page](${nameOf(report)}.html)`,
      ]),
    ),
    table(
      ["Category", "Meaning"],
      categories.map((category) => [category, categoryTexts[category]]),
    ),
    "[The rules](rules.md) lists every change that `mcpwright diff` looks for. [Losses](losses.md) lists what conversions between revisions lose. `npx tsx scripts/revisions-doc.ts` prints these pages.",
    "## The official changelogs",
    "For each entry of the official changelogs, this list names the findings that report it, as `rule place`; a test checks the list against the reports. Entries that neither a schema nor its overlay can show are listed with the reason.",
    ...changelogs.flatMap(changelogSection),
  ].join("\n\n");
}

function changelogSection({ from, to, entries }: Changelog): readonly string[] {
  const shown = entries.filter(({ found }) => found !== undefined);
  const hidden = entries.filter(({ hiddenBecause }) => hiddenBecause !== undefined);
  return [
    `### From ${from} to ${to}`,
    shown.map(({ change, found = [] }) => `- ${change}: ${found.map((one) => `\`${one}\``).join(", ")}`).join("\n"),
    ...(hidden.length === 0
      ? ["The schemas and overlays show every entry."]
      : [
          `Not shown by a schema or an overlay:\n\n${hidden.map(({ change, hiddenBecause = "" }) => `- ${change}: ${hiddenBecause}`).join("\n")}`,
        ]),
  ];
}

function rulesDocument(): string {
  return [
    "# Rules of mcpwright diff",
    "`mcpwright diff` reports each change as a finding of one of these rules. Use the id of a rule to name it in an ignore list:",
    '```json\n[{ "rule": "member-added", "at": "Tool.*", "reason": "we do not use the new members" }]\n```',
    "A fact that no schema contains and no overlay states is a finding of the category `unstated`. Its id is that of the diagnostic, such as `capability-unstated`.",
    table(
      ["Rule", "Category", "Change"],
      rules.map(({ id, category, purpose }) => [`\`${id}\``, category, purpose]),
    ),
  ].join("\n\n");
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

async function markdown(text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(join(folder, "README.md"))), parser: "markdown" });
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of await revisionDocuments()) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
