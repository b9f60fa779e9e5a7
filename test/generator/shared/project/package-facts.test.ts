import { expect, test } from "vitest";
import { packageFacts } from "../../../../generator/shared/project/package-facts.js";

test.each([
  ["acme/tool", "https://github.com/acme/tool"],
  ["gitlab:acme/tool", "https://gitlab.com/acme/tool"],
  ["git+https://github.com/acme/tool.git", "https://github.com/acme/tool"],
  ["git@github.com:acme/tool.git", "https://github.com/acme/tool"],
  ["git+ssh://git@github.com/acme/tool.git#main", "https://github.com/acme/tool"],
  ["git://github.com/acme/tool.git", "https://github.com/acme/tool"],
  ["https://git.example.com/tool", "https://git.example.com/tool"],
  ["/local/path", undefined],
  ["", undefined],
])("repository %j", (repository, url) => {
  expect(packageFacts({ repository }).repository?.url).toBe(url);
  expect(packageFacts({ repository: { type: "git", url: repository } }).repository?.url).toBe(url);
});

test("the folder of a package in its repository", () => {
  const repository = { url: "https://github.com/acme/tools.git", directory: "packages/a" };
  expect(packageFacts({ repository }).repository).toEqual({
    url: "https://github.com/acme/tools",
    directory: "packages/a",
  });
});

test.each([
  ["Ada", { name: "Ada" }],
  ["Ada L. <ada@example.com>", { name: "Ada L.", email: "ada@example.com" }],
  ["Ada (https://example.com)", { name: "Ada", url: "https://example.com" }],
  ["Ada <not an address> (no url)", { name: "Ada" }],
  [{ name: "Ada", email: "ada@example.com", url: "https://example.com", x: 1 }, { name: "Ada", email: "ada@example.com", url: "https://example.com" }], // prettier-ignore
  [{ email: "ada@example.com" }, undefined],
  ["<ada@example.com>", undefined],
  ["", undefined],
  [7, undefined],
])("author %j", (author, expected) => {
  expect(packageFacts({ author }).author).toEqual(expected);
});

test("members of another type are absent", () => {
  expect(
    packageFacts({ name: 1, version: "", description: " ", engines: [], bugs: "me", os: "linux", keywords: ["a", 2] }),
  ).toEqual({ keywords: ["a"], os: [] });
});
