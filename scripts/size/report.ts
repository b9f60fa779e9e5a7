import type { Count } from "./count.js";

export interface Goals {
  readonly lines: number;
  readonly tokens: number;
  readonly fileLines: number;
}

/** The limits, in total and per file. */
export const goals: Goals = { lines: 20_000, tokens: 160_000, fileLines: 400 };
/** The limits of the code for authorization, which only programs that log in contain. */
export const authorizationGoals: Goals = { lines: 8_000, tokens: 60_000, fileLines: 400 };

export interface Total {
  readonly files: number;
  readonly lines: number;
  readonly tokens: number;
}

export function totalOf(counts: readonly Count[]): Total {
  const sum = (member: "lines" | "tokens"): number => counts.reduce((total, one) => total + one[member], 0);
  return { files: counts.length, lines: sum("lines"), tokens: sum("tokens") };
}

/** The length of a file: its lines before or after reflowing, the larger of the two. */
export function lengthOf({ lines, written }: Count): number {
  return Math.max(lines, written);
}

export function meetsGoals(counts: readonly Count[], most: Goals = goals): boolean {
  const { lines, tokens } = totalOf(counts);
  return lines <= most.lines && tokens <= most.tokens && counts.every((one) => lengthOf(one) <= most.fileLines);
}

/** The counts per folder, the total with the goals, and the longest files. */
export function report(counts: readonly Count[], most: Goals = goals): string {
  const folders = [...new Set(counts.map(folderOf))].sort();
  const total = totalOf(counts);
  const unflowed = counts.filter(({ reflowed }) => !reflowed).length;
  const longest = counts.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, 10);
  const share = (figure: number, goal: number): string => `${((figure / goal) * 100).toFixed(0)} %`;
  return [
    "Lines: reflowed to 100 columns by prettier, without blank lines and comments.",
    "Tokens: those of the TypeScript scanner, without comments. In templates,",
    `each value that is filled in counts as one name (${unflowed} of them are not TypeScript until filled, and are not reflowed).`,
    "",
    grid([
      ["folder", "files", "lines", "tokens"],
      ...folders.map((folder) => [folder, ...cells(totalOf(counts.filter((one) => folderOf(one) === folder)))]),
      ["total", ...cells(total)],
      ["goal, at most", "", figure(most.lines), figure(most.tokens)],
      ["of the goal", "", share(total.lines, most.lines), share(total.tokens, most.tokens)],
    ]),
    "",
    `Longest files, of at most ${most.fileLines} lines:`,
    "",
    grid([
      ["file", "lines", "as written", "tokens"],
      ...longest.map(({ path, lines, written, tokens }) => [path, figure(lines), figure(written), figure(tokens)]),
    ]),
  ].join("\n");
}

function folderOf({ path }: Count): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function cells({ files, lines, tokens }: Total): readonly string[] {
  return [figure(files), figure(lines), figure(tokens)];
}

function figure(number: number): string {
  return number.toLocaleString("en");
}

function grid(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      widths
        .map((width, column) =>
          column === 0 ? (row[column] ?? "").padEnd(width) : (row[column] ?? "").padStart(width),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
