/** Into a folder that holds output already, and what became of it. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { differing } from "../end-to-end/trees.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { cli, root } from "./command-line.js";

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

test.each([
  ["a known revision of an altered schema", "2024-11-05"],
  ["a revision of one's own", "2027-01-01"],
])("%s without its model is not mistaken for another one", async (_, id) => {
  const folder = sandbox();
  const [schema, out] = [join(folder, "schema.ts"), join(folder, "out")];
  const [text = "", overlay = ""] = ["schema.ts", "overlay.json"].map((name) =>
    readFileSync(join(root, "schema/2024-11-05", name), "utf8"),
  );
  put(folder, {
    "schema.ts": `${text}\nexport interface Mine {\n  mine: string;\n}\n`,
    "overlay.json": JSON.stringify({ ...(JSON.parse(overlay) as object), names: { ping: { name: "MY_PING" } } }),
  });
  const mine = (...only: string[]) =>
    cli("generate", "--schema", schema, "--revision", id, "--out", out, "--only", ...only);
  const other = (revision: string) => cli("generate", revision, "--out", out, "--only", "types");
  expect(await mine("types")).toMatchObject({ code: 0, err: "" });
  const before = treeOf(out);
  expect(before["names.ts"]).toContain("export const MY_PING =");

  expect(await other("2025-11-25")).toMatchObject({
    code: 1,
    err: `error[output-incomplete]: ${out} lists revision ${id}, but its model.json is missing or unreadable\n  Generate that revision again. With --only, include \`model\`; if the revision was generated from your own schema, pass --schema.\n`,
  });
  expect(differing(before, treeOf(out))).toEqual([]);

  expect(await mine("types", "model")).toMatchObject({ code: 0, err: "" });
  for (const revision of ["2025-11-25", "2025-06-18"])
    expect(await other(revision)).toMatchObject({ code: 0, err: "" });
  expect(treeOf(out)["names.ts"]).toContain("export const MY_PING =");
  expect(JSON.parse(treeOf(out)["manifest.json"] ?? "")).toMatchObject({ handedIn: [id] });
});

test("a known revision can be generated from the package's schema again", async () => {
  const folder = sandbox();
  const out = join(folder, "out");
  put(folder, { "schema.ts": readFileSync(join(root, "schema/2024-11-05/schema.ts"), "utf8") });
  const only = ["--out", out, "--only", "types"];
  await cli("generate", "--schema", join(folder, "schema.ts"), ...only);
  await cli("generate", "2024-11-05", ...only);
  expect(JSON.parse(treeOf(out)["manifest.json"] ?? "")).not.toHaveProperty("handedIn");
  expect(await cli("generate", "2025-11-25", ...only)).toMatchObject({ code: 0, err: "" });
});

test("reports a manifest with merge conflicts", async () => {
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
    err: expect.stringContaining(
      `error[manifest-malformed]: cannot read ${join(folder, "manifest.json")}, the list of generated files`,
    ) as string,
  });
  expect(differing(before, treeOf(folder))).toEqual([]);
});

test.each(["--check", "--dry-run"])("%s reports the files that generate would not overwrite", async (mode) => {
  const folder = copy();
  put(folder, { "2024-11-05/types.ts": "mine\n" });
  const { code, err } = await cli("generate", "2024-11-05", mode, "--out", folder);
  expect(code).toBe(1);
  expect(err).toContain(
    `error[output-edited]: ${join(folder, "2024-11-05/types.ts")} was edited by hand after it was generated`,
  );
  expect(await cli("generate", "2024-11-05", "--out", folder)).toMatchObject({ code: 1 });
});
