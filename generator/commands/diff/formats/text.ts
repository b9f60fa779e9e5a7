import {
  categories,
  categoryTexts,
  type DiffCategory,
  type DiffFinding,
  type DiffReport,
  type DiffPlace,
} from "../finding.js";
import { groupFindings } from "./group-findings.js";

/** How a part of the text is set off; each does nothing where there are no colours. */
export interface Styles {
  readonly title: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly category: Readonly<Record<DiffCategory, (text: string) => string>>;
}

const plain = (text: string): string => text;

const noStyles: Styles = {
  title: plain,
  dim: plain,
  category: { wire: plain, behaviour: plain, source: plain, unstated: plain, deprecation: plain, addition: plain },
};

/** The report for a terminal: by category and rule, what it means once, then the places. */
export function textReport(report: DiffReport, styles: Styles = noStyles): string {
  const parts = categories.flatMap((category) => {
    const findings = report.findings.filter((finding) => finding.category === category);
    if (findings.length === 0) return [];
    const heading = `${styles.category[category](category.toUpperCase())} ${styles.dim(`${findings.length}: ${categoryTexts[category]}`)}`;
    return [[heading, ...groupFindings(findings).map((group) => groupText(group, styles))].join("\n\n")];
  });
  return `${[...parts, ...ignoredText(report), styles.title(summary(report))].join("\n\n")}\n`;
}

function groupText(
  { rule, purpose, receiver, sender, source, hint, findings }: ReturnType<typeof groupFindings>[number],
  { title, dim }: Styles,
): string {
  const meaning = [
    ["receiver", receiver],
    ["sender", sender],
    ["source", source],
    ["hint", hint],
  ].map(([who = "", text = ""]) => `    ${dim(`${who.padEnd(8)} ${text}`)}`);
  return [`  ${title(rule)}  ${purpose}`, ...meaning, ...findings.flatMap((finding) => findingText(finding, dim))].join(
    "\n",
  );
}

function findingText({ message, before, after }: DiffFinding, dim: Styles["dim"]): readonly string[] {
  const line = (sign: string, point: DiffPlace | undefined): readonly string[] =>
    point ? [`        ${sign} ${short(point.text)}${placeText(point) === "" ? "" : `  ${dim(placeText(point))}`}`] : [];
  return [`      ${message}`, ...line("-", before), ...line("+", after)];
}

/** `file:line`, or nothing. */
export function placeText({ file, line }: DiffPlace): string {
  return file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`}`;
}

function ignoredText({ ignored, staleIgnores }: DiffReport): readonly string[] {
  const left = ignored.map(({ finding, reason }) => `  ${finding.rule} at ${finding.at}: ${reason}`);
  const stale = staleIgnores.map(({ rule, at }) => `  ${rule} at ${at}`);
  return [
    ...(left.length > 0 ? [["IGNORED", ...left].join("\n")] : []),
    ...(stale.length > 0 ? [["IGNORE ENTRIES THAT MATCH NO FINDING: remove them", ...stale].join("\n")] : []),
  ];
}

/** One line: how many findings there are of which category. */
export function summary({ before, after, counts, ignored, findings }: DiffReport): string {
  const pair = `${before.revision} to ${after.revision}`;
  const left = ignored.length === 0 ? "" : `, ${ignored.length} ignored`;
  if (findings.length === 0) return `${pair}: no differences${left}`;
  const parts = categories.flatMap((category) => (counts[category] === 0 ? [] : [`${counts[category]} ${category}`]));
  return `${pair}: ${findings.length} finding${findings.length === 1 ? "" : "s"} (${parts.join(", ")})${left}`;
}

/** Whole types can be long; the JSON report has all of it. */
export function short(text: string, length = 160): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
