import { posix, win32 } from "node:path";
import { expect, test } from "vitest";
import { moduleSpecifier } from "../../../../generator/shared/files/module-specifier.js";

test.each([
  ["a sibling", "/a/src", "/a/src/tools.js", "./tools.js"],
  ["a file above", "/a/src/deep", "/a/tools.js", "../../tools.js"],
  ["a folder that begins with a dot", "/a", "/a/.gen/rank", "./.gen/rank"],
  ["a folder that begins with two dots", "/a", "/a/..gen/rank", "./..gen/rank"],
  ["a name with a backslash, which is part of it", "/a", "/a/b\\c.js", "./b\\c.js"],
])("names %s", (_, folder, file, expected) => {
  expect(moduleSpecifier(folder, file, posix)).toBe(expected);
});

test.each([
  ["a sibling", "C:\\a\\src", "C:\\a\\src\\tools.js", "./tools.js"],
  ["a file above", "C:\\a\\src\\deep", "C:\\a\\tools.js", "../../tools.js"],
  ["the same drive in another case", "c:\\a", "C:\\a\\b\\tools.js", "./b/tools.js"],
  ["a folder that begins with a dot", "C:\\a", "C:\\a\\.gen\\rank", "./.gen/rank"],
  ["a file of another drive", "C:\\a", "D:\\gen rank\\index.js", "file:///D:/gen%20rank/index.js"],
  ["a file of a share", "C:\\a", "\\\\host\\share\\index.js", "file://host/share/index.js"],
])("names %s on Windows", (_, folder, file, expected) => {
  expect(moduleSpecifier(folder, file, win32)).toBe(expected);
});
