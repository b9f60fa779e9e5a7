import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject } from "../../../../../generator/commands/new/create-project.js";
import { updateProject } from "../../../../../generator/commands/update/update-project.js";
import { refusal, sandbox, treeOf } from "../../../shared/files/sandbox.js";
import { describing, type Json, operation } from "./descriptions.js";

const get = (operationId: string, more: Json = {}): Json => ({
  get: operation({ operationId, tags: ["things"], ...more }),
});

async function project(paths: Json): Promise<string> {
  const folder = sandbox();
  describe(folder, paths);
  const openapi = { source: "api.json", limit: 3 };
  await createProject({
    folder,
    project: { start: "openapi", name: "things", openapi },
  });
  return folder;
}

function describe(folder: string, paths: Json): void {
  writeFileSync(join(folder, "api.json"), JSON.stringify(describing(paths)));
}

const tools = (folder: string): string => readFileSync(join(folder, "src/tools/things.ts"), "utf8");

test("an unchanged description changes nothing", async () => {
  const folder = await project({ "/a": get("getA") });
  expect(await updateProject({ folder, mode: "check" })).toMatchObject({ diff: "", findings: [] });
});

test("changes of the API are merged with those of the user", async () => {
  const folder = await project({ "/a": get("getA", { description: "Old" }), "/b": get("getB") });
  const edited = tools(folder).replace('"GET /b"', '"My own words"');
  writeFileSync(join(folder, "src/tools/things.ts"), edited);
  describe(folder, { "/a": get("getA", { description: "New" }), "/b": get("getB"), "/c": get("getC") });
  const result = await updateProject({ folder });
  expect(result).toMatchObject({ merged: ["src/tools/things.ts"], findings: [] });
  for (const part of ['"New"', '"My own words"', '"get_c"']) expect(tools(folder)).toContain(part);
  expect(tools(folder)).not.toContain('"Old"');
  expect(await updateProject({ folder, mode: "check" })).toMatchObject({ diff: "" });
});

test("a description that is gone, invalid or too large now: nothing is changed", async () => {
  const folder = await project({ "/a": get("getA") });
  describe(folder, Object.fromEntries(["a", "b", "c", "d"].map((name) => [`/${name}`, get(name)])));
  const before = treeOf(folder);
  expect(await refusal(folder, updateProject({ folder }))).toEqual([
    "openapi-too-many: 4 operations are picked, and the limit is 3",
  ]);
  expect(treeOf(folder)).toEqual(before);
  rmSync(join(folder, "api.json"));
  expect(await refusal(folder, updateProject({ folder }))).toEqual([
    "openapi-not-found: cannot read the OpenAPI description OUT/api.json: ENOENT",
  ]);
});
