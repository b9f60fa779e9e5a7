import { defect, type Finding, obstacle } from "../finding.js";

interface Section {
  readonly title: string;
  readonly line: number;
  readonly text: string;
}

const file = "CHANGELOG.md";

/**
 * Checks that the version has an entry with its date, and that "Unreleased" is empty.
 * @param today as YYYY-MM-DD
 */
export function changelogFindings(text: string, version: string, today: string): readonly Finding[] {
  const sections = sectionsOf(text);
  const heading = `## [${version}] - ${today}`;
  const unreleased = sections.find(({ title }) => /^\[?unreleased\]?$/i.test(title));
  const entries = sections.filter(({ title }) => title.startsWith(`[${version}]`));
  const [entry, second] = entries;
  if (!entry)
    return unreleased && unreleased.text !== ""
      ? [
          obstacle(
            `${file}:${unreleased.line}`,
            `the entry of ${version} still has the heading Unreleased`,
            `Rename it to "${heading}".`,
          ),
        ]
      : [defect(file, `has no entry for ${version}`, `Write one under "${heading}".`)];

  const where = `${file}:${entry.line}`;
  const found: Finding[] = [];
  const date = /^\[[^\]]+\] - (\d{4}-\d{2}-\d{2})$/.exec(entry.title)?.[1];
  if (date === undefined || !isDate(date))
    found.push(defect(where, `"${entry.title}" does not contain the date of the release`, `Write "${heading}".`));
  else if (date > today)
    found.push(obstacle(where, `is dated ${date}, but today is ${today}`, "Wait for that day, or correct the date."));
  if (entry.text === "")
    found.push(defect(where, "is empty", "Describe the changes that users notice, or do not release."));
  if (second) found.push(defect(`${file}:${second.line}`, `is a second entry for ${version}`, "Keep one."));
  const latest = sections.find((section) => section !== unreleased);
  if (latest !== entry)
    found.push(
      defect(where, `is not the first entry: ${latest?.title ?? ""} precedes it`, "Put the newest version first."),
    );
  if (unreleased && unreleased.text !== "")
    found.push(
      obstacle(
        `${file}:${unreleased.line}`,
        "the entry Unreleased is not empty",
        `Move its changes to ${version}, which will contain them.`,
      ),
    );
  return found;
}

function sectionsOf(text: string): readonly Section[] {
  const lines = text.split(/\r?\n/);
  const starts = lines.flatMap((line, index) => (line.startsWith("## ") ? [index] : []));
  return starts.map((start, index) => ({
    title: (lines[start] ?? "").slice(3).trim(),
    line: start + 1,
    text: lines
      .slice(start + 1, starts[index + 1])
      .filter((line) => !line.startsWith("#"))
      .join("\n")
      .trim(),
  }));
}

/** Whether the date exists in the calendar. */
function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
