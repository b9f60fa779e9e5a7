/** Into a folder that holds output already, and what became of it. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { differing } from "../end-to-end/trees.js";
import { put, sandbox, treeOf } from "../generator/write/sandbox.js";
import { cli } from "./command-line.js";

const complete = join(sandbox(), "out");
beforeAll(async () => {
  await cli("generate", "2024-11-05", "--out", complete);
});

function copy(): string {
  const folder = join(sandbox(), "out");
  cpSync(complete, folder, { recursive: true });
  return folder;
}

test("a folder that holds no model takes another revision", async () => {
  const folder = join(sandbox(), "out");
  await cli("generate", "2024-11-05", "--only", "types", "--out", folder);
  expect(await cli("generate", "2025-11-25", "--only", "types", "--out", folder)).toMatchObject({ code: 0, err: "" });
  expect(treeOf(folder)["revisions.ts"]).toContain('revisions = ["2024-11-05", "2025-11-25"]');
  expect(treeOf(folder)["2024-11-05/types.ts"]).toBe(treeOf(complete)["2024-11-05/types.ts"]);
});

test("a manifest with both sides of a merge is told as such", async () => {
  const folder = copy();
  const manifest = treeOf(complete)["manifest.json"] ?? "";
  put(folder, {
    "manifest.json": manifest.replace(
      / {2}"generator": .*/,
      (line) => `<<<<<<< ours\n${line}\n=======\n${line}\n>>>>>>> theirs`,
    ),
  });
  const before = treeOf(folder);
  const { code, err } = await cli("generate", "2024-11-05", "--out", folder);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(`error[manifest-malformed]: ${join(folder, "manifest.json")}, the list of`) as string,
  });
  expect(differing(before, treeOf(folder))).toEqual([]);
});

test.each(["--check", "--dry-run"])("%s tells which files generate would refuse to overwrite", async (mode) => {
  const folder = copy();
  put(folder, { "2024-11-05/types.ts": "mine\n" });
  const { code, err } = await cli("generate", "2024-11-05", mode, "--out", folder);
  expect(code).toBe(1);
  expect(err).toContain(`error[output-edited]: ${join(folder, "2024-11-05/types.ts")} was changed by hand`);
  expect(await cli("generate", "2024-11-05", "--out", folder)).toMatchObject({ code: 1 });
});
