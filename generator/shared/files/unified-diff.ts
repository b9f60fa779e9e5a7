import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { FileDifference } from "./file-difference.js";

/**
 * The time to find the shortest edit grows with the square of its length; with more changed lines than this, the whole
 * file is shown.
 */
const maxEditLength = 1500;

/** All differences as one patch from the disk to the expected files; empty when there are none. */
export function unifiedDiff(differences: readonly FileDifference[]): string {
  return differences.map(filePatch).join("");
}

function filePatch({ kind, path, before, after }: FileDifference): string {
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  if (after === undefined && kind !== "removed")
    return `# ${path} was changed by hand, and this run does not generate it\n`;
  const to = after === undefined ? "/dev/null" : `b/${path}`;
  const [old, now] = [before ?? "", after ?? ""];
  const options = { context: 3, maxEditLength, headerOptions: FILE_HEADERS_ONLY };
  const patch = old && now ? createTwoFilesPatch(from, to, old, now, undefined, undefined, options) : undefined;
  return patch ?? `--- ${from}\n+++ ${to}\n${wholeFile(old, now)}`;
}

function wholeFile(before: string, after: string): string {
  const [removed, added] = [lines(before), lines(after)];
  const range = ({ length }: readonly string[]): string => `${length ? 1 : 0},${length}`;
  if (!removed.length && !added.length) return "";
  return [`@@ -${range(removed)} +${range(added)} @@\n`, ...marked("-", removed), ...marked("+", added)].join("");
}

function lines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(sign: string, all: readonly string[]): readonly string[] {
  return all.map((line) => (line.endsWith("\n") ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`));
}
