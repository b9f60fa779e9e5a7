/** The pages for contributors: what they name exists, and their example of an extension generates. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cli, root } from "../cli/command-line.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
const pages = readdirSync(join(root, "docs/contributing")).map((name) => `docs/contributing/${name}`);

describe.each(["CONTRIBUTING.md", "test/README.md", ...pages])("%s", (page) => {
  test("names scripts that exist", () => {
    const named = [...read(page).matchAll(/\bnpm run (?:-s |--silent )?([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test("names files and folders that exist", () => {
    const named = [...read(page).matchAll(/`((?:\.github|docs|generator|runtime|schema|scripts|test)\/[\w./-]+)`/g)];
    const missing = named
      .map(([, path = ""]) => path)
      .filter((path) => !existsSync(join(root, path)) && !path.includes("/dist/"));
    expect(missing).toEqual([]);
  });
});

test("the smallest extension of the page generates without findings", { timeout: 60_000 }, async () => {
  const [schema = "", overlay = ""] = [
    ...read("docs/contributing/extensions.md").matchAll(/^```(?:text|json)\n(.*?)^```/gms),
  ].map(([, code = ""]) => code);
  const [folder, out] = [sandbox(), sandbox()];
  put(folder, { "schema.ts": schema, "overlay.json": overlay });
  const { code, err } = await cli("generate", "--extension", folder, "--over", "2026-07-28", "--out", join(out, "mcp"));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(treeOf(join(out, "mcp"))["extensions/rank/validate.ts"]).toContain("export function isRankRequest(");
});
