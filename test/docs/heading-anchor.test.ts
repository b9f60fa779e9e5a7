import { expect, test } from "vitest";
import { headingAnchor } from "../../scripts/docs/read/heading-anchor.js";
import { readPage } from "../../scripts/docs/read/read-page.js";

test.each([
  ["Ask the user", "ask-the-user"],
  ["What's `tools/call`?", "whats-toolscall"],
  ["snake_case and kebab-case", "snake_case-and-kebab-case"],
  ["A – B", "a--b"],
  ["询问 用户", "询问-用户"],
  ["2026-07-28", "2026-07-28"],
])("%s", (heading, anchor) => {
  expect(headingAnchor(heading)).toBe(anchor);
});

test("repeated headings have numbers, and code blocks have none", () => {
  const page = readPage("a.md", "# A\n\n## B\n\n## B\n\n```sh\n# C\n```\n\n## B-1\n");
  expect(page.headings.map(({ anchor }) => anchor)).toEqual(["a", "b", "b-1", "b-1-1"]);
});
