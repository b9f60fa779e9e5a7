/** `explain` and `diff` read the generated folder of an extension. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { cli, root } from "./command-line.js";

const folder = join(root, "generated/extensions/tasks");
const text = readFileSync(join(folder, "model.json"), "utf8");
const id = "io.modelcontextprotocol/tasks";

test.each([
  ["a type", "WorkingTask", `WorkingTask  (type, ${id})`],
  ["a method", "tasks/cancel", `tasks/cancel  (method, ${id})`],
])("explain describes %s, as from the package", async (_, name, title) => {
  const { code, out, err } = await cli("explain", name, "--schema", folder);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(title);
  const withoutPlace = (shown: string): string => shown.replace(/^.*schema\.ts:\d+\n/m, "");
  expect(out).toBe(withoutPlace((await cli("explain", name, "--revision", id)).out));
});

test("explain shows the roles of an extension that has its own", async () => {
  const changed = { ...(JSON.parse(text) as object), roles: { client: "view", server: "host" } };
  const other = sandbox();
  put(other, { "model.json": JSON.stringify(changed) });
  const explained = await cli("explain", "tasks/get", "--schema", other);
  expect(explained.out).toContain("Sent by the view; received by the host");
});

test("diff finds no difference between the folder and the package", async () => {
  const { code, out } = await cli("diff", folder, id);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("no differences") as string });
});

describe("models that are not valid", () => {
  test.each<[name: string, from: string | RegExp, to: string, err: RegExp]>([
    ["another format", '"format": 1', '"format": 9', /error\[model-malformed\].*format 1/],
    ["no list of results", '"results": [', '"others": [', /error\[model-malformed\].*results is not an array/],
    ["a result without a tag", '"tag":', '"tags":', /error\[model-malformed\].*results\[0\] is not as expected/],
    ["a type of another kind", '"kind": "struct"', '"kind": "strict"', /error\[model-malformed\].*definitions\[\d+\]/],
    [
      "an unknown revision",
      '"base": "2026-07-28"',
      '"base": "2030-01-01"',
      /error\[model-malformed\].*revision 2030-01-01/,
    ],
  ])("%s", async (_, from, to, err) => {
    const other = sandbox();
    put(other, { "model.json": text.replace(from, to) });
    expect(await cli("explain", "Task", "--schema", other)).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(err) as string,
    });
  });
});
