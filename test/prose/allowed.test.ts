import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { applyAllowed, parseAllowed } from "../../scripts/prose/allowed.js";
import { check } from "../../scripts/prose/check.js";
import { countTable } from "../../scripts/prose/count.js";

const findingsIn = (file: string, text: string): ReturnType<typeof check> => check(file, text, [{ start: 0, text }]);
const findings = [
  ...findingsIn("docs/guide/a.md", "The parents are told so. Nobody is told twice."),
  ...findingsIn("docs/b.md", "The parents are told so."),
];
const left = (list: string): readonly string[] =>
  applyAllowed(findings, parseAllowed(list).entries).rest.map(({ file, words }) => `${file} ${words}`);

test.each([
  ["a file", "docs/guide/a.md | tell | parents are told | a reason", ["a.md Nobody", "a.md told", "b.md told"]],
  ["a glob over folders", "docs/**/*.md | tell | parents are told | a reason", ["a.md Nobody", "a.md told"]],
  ["a glob within a folder", "docs/* | tell | told | a reason", ["a.md told", "a.md Nobody", "a.md told"]],
  ["another rule", "docs/** | hear | told | a reason", ["a.md told", "a.md Nobody", "a.md told", "b.md told"]],
])("allows findings by entry: %s", (_, list, expected) => {
  expect(left(list).map((line) => line.replace(/^\S+\/(?=\w+\.md)/, ""))).toEqual(expected);
});

test("reports the line of an invalid entry", () => {
  expect(
    parseAllowed("# a comment\n\ndocs/** | tell | told\ndocs/** | telling | told | a reason\na|tell|b|c|d\n").errors,
  ).toEqual([
    'line 3: expected "path glob | rule | words | reason"',
    'line 4: unknown rule "telling"',
    'line 5: expected "path glob | rule | words | reason"',
  ]);
  const long = "docs/** | tell | told | a reason\n".repeat(31);
  expect(parseAllowed(long).errors).toEqual(["31 entries; at most 30 are accepted"]);
});

test("reports an entry that allows no finding", () => {
  const { entries } = parseAllowed("docs/** | tell | told | a reason\ndocs/** | tell | other words | a reason\n");
  expect(applyAllowed(findings, entries).unused.map(({ line }) => line)).toEqual([2]);
});

test("reads the list of the repository without errors", () => {
  const text = readFileSync(new URL("../../scripts/prose/allowed.txt", import.meta.url), "utf8");
  expect(parseAllowed(text).errors).toEqual([]);
});

test("counts by rule and folder", () => {
  expect(countTable([...findings, ...findingsIn("README.md", "Nobody.")]).split("\n")).toEqual([
    "        .  docs  all",
    "nobody  1     1    2",
    "tell    0     3    3",
    "all     1     4    5",
  ]);
});
