import { type } from "arktype";
import { expect, it } from "vitest";
import { formatIssues } from "../../../runtime/src/schema/format-issues.js";
import type { StandardIssue } from "../../../runtime/src/schema/standard-schema.js";

it.each([
  ["one", [{ path: ["a", "b"], message: "must be string" }], "/a/b: must be string"],
  ["at the root", [{ path: [], message: "must be object" }, { message: "is bad" }], "must be object; is bad"],
  ["indexes, segments and symbols", [{ path: ["a", 0, { key: Symbol("s") }], message: "x" }], "/a/0/Symbol(s): x"],
  ["characters that JSON Pointer escapes", [{ path: ["a/b", "~"], message: "x" }], "/a~1b/~0: x"],
  ["none", [], ""],
])("%s", (_name, issues, text) => {
  expect(formatIssues(issues)).toBe(text);
});

it("shows the first 20 of many", () => {
  const text = formatIssues(Array.from({ length: 1_000 }, (_, i) => ({ path: [i], message: "x" })));
  expect(text.split("; ")).toHaveLength(21);
  expect(text).toMatch(/\/19: x; and 980 more$/);
});

it("accepts the issue lists of arktype, which are not plain arrays", () => {
  const { issues = [] } = type("string[]")["~standard"].validate(Array.from({ length: 30 }, () => 1)) as {
    issues?: readonly StandardIssue[];
  };
  expect(formatIssues(issues)).toMatch(/^\/0: .*; and 10 more$/);
});

it("shows 2,000 characters of a long one", () => {
  const text = formatIssues([{ path: ["k".repeat(5_000)], message: "x" }]);
  expect(text).toHaveLength(2_000);
  expect(text.endsWith("…")).toBe(true);
});
