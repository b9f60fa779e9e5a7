import type * as FileSystem from "node:fs";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { childCli, cli, root } from "../cli/command-line.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import type { Tree } from "../generator/shared/files/tree.js";
import { differing } from "./trees.js";

/** The order of a directory listing depends on the file system. Here, a test can reverse it. */
const listing = vi.hoisted(() => ({ backwards: false, asked: 0 }));
vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof FileSystem>();
  const readdir = (...args: Parameters<typeof fs.readdirSync>) => {
    const names = fs.readdirSync(...args);
    if (!listing.backwards) return names;
    listing.asked++;
    return names.reverse();
  };
  return { ...fs, readdirSync: readdir, default: { ...fs, readdirSync: readdir } };
});

async function generate(...args: readonly string[]): Promise<Tree> {
  const out = join(sandbox(), "out");
  const { code } = await cli("generate", ...args, "--out", out);
  expect(code).toBe(0);
  return treeOf(out);
}

function crlf(text: string): string {
  return text.replaceAll("\n", "\r\n");
}

let expected: Tree;
beforeAll(async () => {
  expected = await generate("2024-11-05");
});

describe("the same bytes", { timeout: 120_000 }, () => {
  test("when run twice", async () => {
    expect(differing(expected, await generate("2024-11-05"))).toEqual([]);
  });

  test("when revisions are named in another order, or one after the other", async () => {
    const [one, other] = ["2024-11-05", "2026-07-28"] as const;
    const only = ["--only", "methods", "model"];
    const both = await generate(one, other, ...only);
    expect(differing(both, await generate(other, one, ...only))).toEqual([]);
    const out = join(sandbox(), "out");
    for (const id of [other, one]) await cli("generate", id, ...only, "--out", out);
    expect(differing(both, treeOf(out))).toEqual([]);
  });

  test("when directories list their files backwards", async () => {
    listing.backwards = true;
    try {
      expect(differing(expected, await generate("2024-11-05"))).toEqual([]);
      expect(listing.asked).toBeGreaterThan(0);
    } finally {
      listing.backwards = false;
    }
  });

  test.each<readonly [name: string, cwd: () => string, env: Readonly<Record<string, string>>]>([
    ["from another working directory", sandbox, {}],
    [
      "in another time zone and locale",
      () => root,
      { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
    ],
  ])("%s", async (_, cwd, env) => {
    const out = join(sandbox(), "out");
    const { code } = await childCli(["generate", "2024-11-05", "--out", out], { cwd: cwd(), env });
    expect(code).toBe(0);
    expect(differing(expected, treeOf(out))).toEqual([]);
  });

  test.each([
    ["is in another folder", (text: string) => text],
    ["has CRLF line ends", crlf],
  ])("from a schema.ts that %s", async (_, edit) => {
    const folder = sandbox();
    for (const file of ["schema.ts", "overlay.json"])
      put(folder, { [file]: edit(readFileSync(join(root, "schema/2024-11-05", file), "utf8")) });
    const { "manifest.json": manifest = "", ...files } = await generate("--schema", join(folder, "schema.ts"));
    // Only the manifest contains the path of the schema.
    const { handedIn, ...rest } = JSON.parse(manifest) as Readonly<Record<string, unknown>>;
    expect(handedIn).toEqual(["2024-11-05"]);
    expect(differing(expected, { ...files, "manifest.json": `${JSON.stringify(rest, null, 2)}\n` })).toEqual([]);
  });

  test("from a schema.json with CRLF line ends", async () => {
    const text = readFileSync(join(root, "generated/2024-11-05/schema.json"), "utf8");
    const run = (edited: string) => {
      const folder = join(sandbox(), "2024-11-05");
      put(folder, { "schema.json": edited });
      return generate("--schema", join(folder, "schema.json"), "--only", "types", "model");
    };
    expect(differing(await run(text), await run(crlf(text)))).toEqual([]);
  });

  test("when outputs are chosen in another order", async () => {
    const chosen = ["client", "model", "types", "constants"];
    const tree = await generate("2024-11-05", "--only", ...chosen);
    expect(differing(tree, await generate("2024-11-05", "--only", ...[...chosen].reverse()))).toEqual([]);
    expect(Object.keys(tree)).toContain("2024-11-05/client.ts");
  });
});

describe("a checkout without generated/ and dist/", { timeout: 120_000 }, () => {
  /** A fresh clone after `npm ci`, with these line ends. */
  function checkout(edit: (text: string) => string): string {
    const folder = sandbox();
    const left = new Set(["node_modules", ".git", "dist", "generated"]);
    cpSync(root, folder, { recursive: true, filter: (path) => path === root || !left.has(basename(path)) });
    mkdirSync(join(folder, "node_modules"));
    const packages = readdirSync(join(root, "node_modules")).filter(
      (name) => name !== ".cache" && name !== "@mcpwright",
    );
    for (const name of packages) symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
    for (const part of ["generator", "schema", "templates"]) {
      for (const entry of readdirSync(join(folder, part), { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile()) writeFileSync(path, edit(readFileSync(path, "utf8")));
      }
    }
    return folder;
  }

  /** The generated files that are committed. */
  function committed(): Tree {
    const folder = join(root, "generated");
    const text = (path: string) => readFileSync(join(folder, path), "utf8").replaceAll("\r\n", "\n");
    const { files } = JSON.parse(text("manifest.json")) as { files: Readonly<Record<string, string>> };
    return Object.fromEntries(["manifest.json", ...Object.keys(files)].map((path) => [path, text(path)]));
  }

  test("is restored by one command, and passes --check", async () => {
    const folder = checkout((text) => text);
    expect(await childCli(["generate"], { checkout: folder })).toMatchObject({ code: 0 });
    expect(differing(committed(), treeOf(join(folder, "generated")))).toEqual([]);
    const check = await childCli(["generate", "--check"], { checkout: folder });
    const content = expect.stringContaining(" 0 files would be added, 0 changed, 0 removed;") as string;
    expect(check).toMatchObject({ code: 0, out: content });
  });

  test("gives the same output when all sources have CRLF line ends", async () => {
    const folder = checkout(crlf);
    expect(await childCli(["generate", "2024-11-05"], { checkout: folder })).toMatchObject({ code: 0 });
    const corpus = "2024-11-05/corpus.json"; // only the repository itself has it
    const revision = (tree: Tree) =>
      Object.fromEntries(Object.entries(tree).filter(([path]) => path.startsWith("2024-11-05/") && path !== corpus));
    expect(differing(revision(expected), revision(treeOf(join(folder, "generated"))))).toEqual([]);
    const ours = readFileSync(join(root, "generated", corpus), "utf8");
    expect(readFileSync(join(folder, "generated", corpus), "utf8") === ours).toBe(true);
    expect(readFileSync(join(folder, "templates/revision/types.ts.hbs"), "utf8")).toContain("\r\n");
  });
});
