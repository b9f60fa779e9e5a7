import { defect, type Finding, obstacle } from "../finding.js";

interface Section {
  readonly title: string;
  readonly line: number;
  readonly text: string;
}

const file = "CHANGELOG.md";

/**
 * The version has an entry with its date, and nothing else is waiting: what stands under "Unreleased" is about to be released.
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
            `the entry of ${version} is still called Unreleased`,
            `Call it "${heading}".`,
          ),
        ]
      : [defect(file, `has no entry for ${version}`, `Write one under "${heading}".`)];

  const where = `${file}:${entry.line}`;
  const found: Finding[] = [];
  const date = /^\[[^\]]+\] - (\d{4}-\d{2}-\d{2})$/.exec(entry.title)?.[1];
  if (date === undefined || !isDate(date))
    found.push(defect(where, `"${entry.title}" does not say the day of the release`, `Write "${heading}".`));
  else if (date > today)
    found.push(obstacle(where, `is dated ${date}, and it is ${today}`, "Wait for that day, or correct it."));
  if (entry.text === "") found.push(defect(where, "says nothing", "Write what users notice, or do not release."));
  if (second) found.push(defect(`${file}:${second.line}`, `is a second entry for ${version}`, "Keep one."));
  const latest = sections.find((section) => section !== unreleased);
  if (latest !== entry)
    found.push(
      defect(where, `is not the first: ${latest?.title ?? ""} stands before it`, "Put the newest version first."),
    );
  if (unreleased && unreleased.text !== "")
    found.push(
      obstacle(
        `${file}:${unreleased.line}`,
        "something is still unreleased",
        `Move it under ${version}, which is what it will be in.`,
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

/** Whether the calendar has it. */
function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
