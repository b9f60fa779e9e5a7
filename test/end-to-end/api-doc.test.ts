/** The API reference in docs/reference/api is up to date: `npm run docs:api`. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../cli/command-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

function pages(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

test("the API reference is up to date and contains every entry", { timeout: 180_000 }, async () => {
  const out = temporaryFolder("api");
  const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
  await promisify(execFile)(process.execPath, [typedoc, "--logLevel", "Error", "--out", out], { cwd: root });
  const made = pages(out);
  expect(pages(join(root, "docs/reference/api"))).toEqual(made);
  const { exports } = JSON.parse(readFileSync(join(root, "runtime/package.json"), "utf8")) as { exports: object };
  const entries = Object.keys(exports).map((entry) => (entry === "." ? "index.md" : `${entry.slice(2)}.md`));
  expect(Object.keys(made)).toEqual(
    expect.arrayContaining(entries.filter((name) => !["package.json.md", "errors.md"].includes(name))),
  );
});
