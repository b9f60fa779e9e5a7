/** Prints docs/reference/revisions: a report for every step between neighbours, what changelogs name, and the rules. */
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

/** File name -> content, as it should be. */
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
    "# What changed between revisions",
    "These reports are printed by `npx tsx scripts/revisions-doc.ts` from `mcpwright diff`; for any other two states, run it yourself. The pages have a search and filters: download one and open it in a browser.",
    table(
      ["From", "To", ...categories.filter((category) => category !== "unstated"), "Report", "Page"],
      reports.map((report) => [
        report.before.revision,
        report.after.revision,
        ...categories.filter((category) => category !== "unstated").map((category) => String(report.counts[category])),
        `[Markdown](${nameOf(report)}.md)`,
        `[HTML](${nameOf(report)}.html)`,
      ]),
    ),
    table(
      ["Category", "What it means"],
      categories.map((category) => [category, categoryTexts[category]]),
    ),
    "[rules.md](rules.md) lists what is looked for; [losses.md](losses.md) tells what conversions between revisions lose.",
    "## The official changelogs",
    "Everything that an official changelog names and a schema, or the overlay beside it, can show is a finding; a test holds the list below against the reports. The rest cannot be shown, and why.",
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
      ? ["No schema lacks anything of it."]
      : [
          `Not in a schema:\n\n${hidden.map(({ change, hiddenBecause = "" }) => `- ${change}: ${hiddenBecause}`).join("\n")}`,
        ]),
  ];
}

function rulesDocument(): string {
  return [
    "# The rules of mcpwright diff",
    "Ignore lists name a rule by its id. Besides these, what only a person can state is a finding of the category `unstated` under the id of its diagnostic, such as `capability-unstated`.",
    table(
      ["Rule", "Category", "What it looks for"],
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
