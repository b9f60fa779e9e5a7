import { expect, test } from "vitest";
import { packageNameFrom, packageNameProblem } from "../../../../generator/shared/project/package-name.js";

test.each(["notes", "my-server", "@acme/notes", "a", "2048", "x.y_z~1", "a".repeat(214)])("%s is a name", (name) => {
  expect(packageNameProblem(name)).toBeUndefined();
});

test.each([
  "",
  ".",
  "..",
  "../x",
  "a/b",
  "@acme",
  "@acme/",
  "@/x",
  "@acme/x/y",
  ".hidden",
  "_private",
  "Notes",
  "my server",
  " notes",
  "notes\n",
  "日本",
  'x"y',
  "x`y",
  "${x}",
  "{{x}}",
  "--help",
  "node_modules",
  "favicon.ico",
  "http",
  "fs",
  "@acme/http",
  "a".repeat(215),
])("%j is none", (name) => {
  expect(packageNameProblem(name)).toBeDefined();
});

test.each<[string, string | undefined]>([
  ["notes", "notes"],
  ["My Server", "my-server"],
  ["Café Größe", "cafe-gro-e"],
  ["__notes__", "notes"],
  [".config", "config"],
  ["a%b&c", "a-b-c"],
  ["日本", undefined],
  ["http", undefined],
  ["", undefined],
])("a folder %j suggests %j", (folder, name) => {
  expect(packageNameFrom(folder)).toBe(name);
});
