import { expect, test } from "vitest";
import { assertOutputPaths, isOutputPath } from "../../../../generator/shared/files/output-path.js";

test.each([
  "index.ts",
  "2026-07-28/types.ts",
  "a b/c.ts",
  ".gitignore",
  "console.ts",
  "auxiliary/com.ts",
  "nul-tools.ts",
])("%j names the same file on every system", (path) => expect(isOutputPath(path)).toBe(true));

test.each([
  ["", "is empty"],
  ["/etc/passwd", "is absolute"],
  ["C:/victim", "has a drive"],
  ["a.ts:stream", "names a stream of a file on Windows"],
  ["a\\b.ts", "is in a folder on Windows"],
  ["a//b", "has an empty part"],
  ["../victim", "leaves the folder"],
  ["a/./b", "names a/b"],
  ["a./b.ts", "names a/b.ts on Windows"],
  ["a ", "names a on Windows"],
  ["a.ts.", "names a.ts on Windows"],
  ["aux", "is a device of Windows"],
  ["deep/NUL.ts", "is a device of Windows"],
  ["com1/index.ts", "is a device of Windows"],
  ["lpt².json", "is a device of Windows"],
  ["a?.ts", "is refused by Windows"],
  ["a\u0007.ts", "has a control character"],
])("%j %s", (path) => expect(isOutputPath(path)).toBe(false));

test.each([
  [["a.ts", "A.ts"], "differ only in case"],
  [["a", "A/b.ts"], "is both a file and the folder of"],
  [["aux.ts"], "cannot be an output path"],
])("%j cannot be written together", (paths, message) => {
  expect(() => assertOutputPaths(paths)).toThrow(message);
});
