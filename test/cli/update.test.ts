import { expect, test } from "vitest";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { project, read } from "../generator/commands/update/project.js";
import { cli } from "./command-line.js";

const path = "src/tools/remind.ts";

/** A project in which one file is as an older version had it. */
async function older(): Promise<string> {
  const current = read(await project(), path);
  return project({ [path]: current.replace("Returns the text after the given time", "Returns the text later") });
}

test("says what was done", async () => {
  const folder = await older();
  const { code, out, err } = await cli("update", folder);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(
    /^replaced {2}src\/tools\/remind\.ts\n1 file changed, from mcpwright 0\.0\.1 to \d+\.\d+\.\d+\S*\.\n$/,
  );
  expect(read(folder, path)).toContain("Returns the text after the given time");
  expect((await cli("update", folder)).out).toMatch(
    /^The project is up to date with mcpwright \S+, apart from your changes\.\n$/,
  );
});

test.each([
  ["--check", 1],
  ["--dry-run", 0],
])("%s shows what would change, and exits with %i", async (option, code) => {
  const folder = await older();
  const before = treeOf(folder);
  const outcome = await cli("update", folder, option);
  expect(outcome).toMatchObject({ code, err: "" });
  expect(outcome.out).toContain(
    '-      description: "Returns the text later",\n+      description: "Returns the text after the given time",',
  );
  expect(outcome.out).toContain("1 file would change");
  expect(treeOf(folder)).toEqual(before);
});

test("a current project passes --check", async () => {
  expect(await cli("update", await project(), "--check")).toMatchObject({ code: 0 });
});

test("a conflict: exit code 1 and the remedy", async () => {
  const folder = await older();
  put(folder, { [path]: read(folder, path).replace("Returns the text later", "Returns the text at tea time") });
  const { code, err } = await cli("update", folder);
  expect(code).toBe(1);
  expect(err).toContain(
    `finding[skeleton-merge-conflict]: ${path} was changed by you and by mcpwright in the same lines`,
  );
  expect(err).toContain(`${path}.mcpwright-new contains both versions`);
});

test("--json", async () => {
  const { code, out } = await cli("update", await older(), "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    from: "0.0.1",
    replaced: [path],
    added: [],
    merged: [],
    removed: [],
    kept: [],
    findings: [],
  });
});

test("a folder that `new` did not create", async () => {
  const folder = sandbox();
  put(folder, { "package.json": "{}" });
  const { code, out, err } = await cli("update", folder);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("error[skeleton-record-missing]");
  expect(treeOf(folder)).toEqual({ "package.json": "{}" });
});
