/**
 * Each row of the tables of requirements on authorization names a test that exists, or leaves the item to the user. The tests of new projects
 * have `.hbs` at their end.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../cli/command-line.js";

const rows = readFileSync(join(root, "docs/reference/security-requirements.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter(([, , , named = ""]) => named !== "test" && !/^-+$/.test(named));

test("the tables have rows", () => expect(rows.length).toBeGreaterThan(40));

test.each(rows)("%s", (...[, , task = "", named = ""]) => {
  const path = /^`((?:test|templates\/skeletons)\/[\w/.-]+\.test\.ts(?:\.hbs)?)`$/.exec(named)?.[1];
  if (path === undefined) expect(task, "the row has neither a test nor a task of the user").not.toBe("");
  else expect(existsSync(join(root, path)), `${path} does not exist`).toBe(true);
});
