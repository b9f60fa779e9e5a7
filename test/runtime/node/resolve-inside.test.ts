import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { resolveInside } from "../../../runtime/src/node.js";

const home = realpathSync(mkdtempSync(join(tmpdir(), "mcpwright-inside-")));
afterAll(() => rmSync(home, { recursive: true }));

const base = join(home, "base");
mkdirSync(join(base, "folder"), { recursive: true });
mkdirSync(join(home, "base-twin"));
for (const path of ["secret.txt", "base-twin/a.txt", "base/a.txt", "base/..a.txt", "base/folder/b.txt"])
  writeFileSync(join(home, path), path);
symlinkSync(join(home, "secret.txt"), join(base, "out.txt"));
symlinkSync(home, join(base, "up"));
symlinkSync(join(base, "a.txt"), join(base, "folder", "in.txt"));
symlinkSync(base, join(home, "link-to-base"));
symlinkSync("loop", join(base, "loop"));

test.each([
  ["a.txt", "a.txt"],
  ["..a.txt", "..a.txt"],
  ["folder/b.txt", "folder/b.txt"],
  ["folder/../a.txt", "a.txt"],
  ["folder/in.txt", "a.txt"],
  ["", ""],
  [join(base, "a.txt"), "a.txt"],
])("%s is inside", async (path, found) => {
  expect(await resolveInside(base, path)).toBe(join(base, found));
  expect(await resolveInside(join(home, "link-to-base"), path)).toBe(join(base, found));
});

test.each([
  "../secret.txt",
  "folder/../../secret.txt",
  "../base-twin/a.txt",
  "..",
  "/etc/passwd",
  "out.txt",
  "up/secret.txt",
  "up/base-twin/a.txt",
  "loop",
  "none.txt",
  "a.txt/b",
  "a.txt\0",
])("%j is outside, or does not exist", async (path) => {
  expect(await resolveInside(base, path)).toBeUndefined();
});

test("a folder that does not exist is reported", () =>
  expect(resolveInside(join(home, "none"), "a.txt")).rejects.toMatchObject({ code: "ENOENT" }));
