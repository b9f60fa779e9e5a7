import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeOutput, type WriteOptions } from "../../../../generator/pipeline/write/write-output.js";
import { generated, manifestOf, put, refusal, sandbox, treeOf, write } from "../../shared/files/sandbox.js";
import { meta, type Tree } from "../../shared/files/tree.js";

const old: Tree = { "index.ts": "export {};\n", "2025-11-25/types.ts": "old\n", "2026-07-28/types.ts": "types\n" };

async function written(files: Tree = old): Promise<string> {
  const folder = sandbox();
  await write(folder, files);
  return folder;
}

describe("writes", () => {
  test("into a folder that does not exist yet", async () => {
    const folder = join(sandbox(), "a/b");
    expect(await write(folder, old)).toEqual({
      added: [...Object.keys(old), "manifest.json"].sort(),
      changed: [],
      removed: [],
      unchanged: 0,
    });
    expect(treeOf(folder)).toEqual(generated(old));
  });

  test("the same bytes at any place and time", async () => {
    const [one, two] = [await written(), await written(Object.fromEntries(Object.entries(old).reverse()))];
    expect(treeOf(one)).toEqual(treeOf(two));
    expect(readFileSync(join(one, "manifest.json"), "utf8")).not.toContain(one);
  });

  test("only files that differ", async () => {
    const folder = await written();
    const past = new Date("2001-01-01");
    for (const path of ["index.ts", "2026-07-28/types.ts"]) utimesSync(join(folder, path), past, past);
    const next = { "index.ts": "export {};\n", "2026-07-28/types.ts": "new\n", "2026-07-28/validate.ts": "added\n" };
    expect(await write(folder, next)).toEqual({
      added: ["2026-07-28/validate.ts"],
      changed: ["2026-07-28/types.ts", "manifest.json"],
      removed: ["2025-11-25/types.ts"],
      unchanged: 1,
    });
    expect(treeOf(folder)).toEqual(generated(next));
    expect(statSync(join(folder, "index.ts")).mtime).toEqual(past);
    expect(statSync(join(folder, "2026-07-28/types.ts")).mtime).not.toEqual(past);
  });

  test("nothing at all the second time", async () => {
    const folder = await written();
    const past = new Date("2001-01-01");
    for (const path of [".", ...Object.keys(generated(old))]) utimesSync(join(folder, path), past, past);
    expect(await write(folder, old)).toEqual({ added: [], changed: [], removed: [], unchanged: 4 });
    for (const path of [".", ...Object.keys(generated(old))]) expect(statSync(join(folder, path)).mtime).toEqual(past);
  });

  test("a manifest with other inputs although no file differs", async () => {
    const folder = await written();
    const later = { ...meta, inputs: { shared: "6".repeat(64) } };
    expect(await writeOutput(folder, new Map(Object.entries(old)), later, { mode: "write" })).toMatchObject({
      changed: ["manifest.json"],
      unchanged: 3,
    });
    expect(readFileSync(join(folder, "manifest.json"), "utf8")).toContain("6".repeat(64));
  });

  test("a listed file that is missing", async () => {
    const folder = await written();
    rmSync(join(folder, "2025-11-25"), { recursive: true });
    expect(await write(folder, old)).toMatchObject({ added: ["2025-11-25/types.ts"], changed: [], removed: [] });
    expect(treeOf(folder)).toEqual(generated(old));
  });

  test("only changes into a checkout with CRLF", async () => {
    const folder = sandbox();
    const checkout = Object.fromEntries(
      Object.entries(generated(old)).map(([path, text]) => [path, text.replaceAll("\n", "\r\n")]),
    );
    put(folder, checkout);
    expect(await write(folder, old)).toMatchObject({ added: [], changed: [], removed: [], unchanged: 4 });
    expect(treeOf(folder)).toEqual(checkout);
    await write(folder, { ...old, "index.ts": "changed\n" });
    expect(treeOf(folder)).toMatchObject({ "index.ts": "changed\n", "2026-07-28/types.ts": "types\r\n" });
  });

  test("next to build output and repositories", async () => {
    const folder = sandbox();
    const beside = { "node_modules/x/index.js": "x", "dist/index.js": "x", ".git/HEAD": "x" };
    put(folder, beside);
    await write(folder, old);
    expect(treeOf(folder)).toEqual(generated(old, beside));
  });

  test("through a link to the folder", async () => {
    const [folder, link] = [sandbox(), join(sandbox(), "link")];
    symlinkSync(folder, link);
    await write(link, old);
    expect(treeOf(folder)).toEqual(generated(old));
  });
});

describe("removes", () => {
  test("orphans and the folders that they leave empty, nothing else", async () => {
    const folder = await written({ ...old, "gone/deep/a.ts": "a\n", "shared/b.ts": "b\n" });
    put(folder, { "shared/notes.txt": "mine", "2025-11-25/mine.ts": "mine", "empty/.keep": "" });
    rmSync(join(folder, "empty/.keep"));
    const report = await write(folder, { "index.ts": "export {};\n" });
    expect(report.removed).toEqual(["2025-11-25/types.ts", "2026-07-28/types.ts", "gone/deep/a.ts", "shared/b.ts"]);
    const mine = { "shared/notes.txt": "mine", "2025-11-25/mine.ts": "mine", "empty/": "" };
    expect(treeOf(folder)).toEqual(generated({ "index.ts": "export {};\n" }, mine));
  });

  test("no folder whose files are all replaced", async () => {
    const folder = await written();
    const { ino } = statSync(join(folder, "2025-11-25"));
    await write(folder, { "2025-11-25/other.ts": "other\n" });
    expect(treeOf(folder)).toEqual(generated({ "2025-11-25/other.ts": "other\n" }));
    expect(statSync(join(folder, "2025-11-25")).ino).toBe(ino);
  });

  test("no kept files, and still lists them", async () => {
    const folder = await written();
    const next = { "index.ts": "next\n" };
    const keep = (path: string): boolean => path.startsWith("2025-11-25/");
    expect(await write(folder, next, { keep })).toMatchObject({ removed: ["2026-07-28/types.ts"], unchanged: 1 });
    expect(treeOf(folder)).toEqual(generated({ ...next, "2025-11-25/types.ts": "old\n" }));
    await write(folder, next);
    expect(treeOf(folder)).toEqual(generated(next));
  });

  test("keeps a missing kept file in the manifest, so that a later run can write it", async () => {
    const folder = await written();
    rmSync(join(folder, "2025-11-25"), { recursive: true });
    await write(folder, { "index.ts": "next\n" }, { keep: () => true });
    expect(readFileSync(join(folder, "manifest.json"), "utf8")).toBe(manifestOf({ ...old, "index.ts": "next\n" }));
  });

  test.each<[from: string, to: string]>([
    ["a", "a/b"],
    ["a/b/c", "a"],
  ])("%s to make room for %s", async (from, to) => {
    const folder = await written({ [from]: "old\n" });
    await write(folder, { [to]: "new\n" });
    expect(treeOf(folder)).toEqual(generated({ [to]: "new\n" }));
  });
});

describe("rejects", () => {
  const hostile = (path: string): Tree => ({ "manifest.json": manifestOf({ [path]: "victim" }) });
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`file-${index + 10}`, ""]));

  /** A change to the folder that `old` was written to, and the errors of the next run. */
  test.each<[name: string, disturb: (folder: string) => void, expected: readonly string[], next?: Tree]>([
    [
      "an edited file",
      (out) => put(out, { "index.ts": "mine\n" }),
      ["output-edited: OUT/index.ts was edited by hand after it was generated"],
    ],
    [
      "all edited files at once, orphans among them",
      (out) => put(out, { "index.ts": "mine\n", "2025-11-25/types.ts": "mine\n" }),
      [
        "output-edited: OUT/2025-11-25/types.ts was edited by hand after it was generated",
        "output-edited: OUT/index.ts was edited by hand after it was generated",
      ],
    ],
    [
      "a foreign file at the path",
      (out) => put(out, { "new.ts": "mine" }),
      ["output-foreign: OUT contains files that were not generated: new.ts"],
    ],
    [
      "a foreign file at the path with equal content",
      (out) => put(out, { "new.ts": "new\n" }),
      ["output-foreign: OUT contains files that were not generated: new.ts"],
    ],
    [
      "foreign and edited files together",
      (out) => put(out, { "new.ts": "mine", "index.ts": "mine\n" }),
      [
        "output-foreign: OUT contains files that were not generated: new.ts",
        "output-edited: OUT/index.ts was edited by hand after it was generated",
      ],
    ],
    [
      "a foreign file where a folder is needed",
      (out) => put(out, { new: "mine" }),
      ["output-foreign: OUT contains files that were not generated: new"],
      { "new/types.ts": "types\n" },
    ],
    [
      "a foreign folder where a file is needed",
      (out) => put(out, { "new.ts/mine": "mine" }),
      ["output-foreign: OUT contains files that were not generated: new.ts"],
    ],
    [
      "a folder in place of a generated file",
      (out) => {
        rmSync(join(out, "index.ts"));
        put(out, { "index.ts/mine": "mine" });
      },
      ["output-foreign: OUT contains files that were not generated: index.ts"],
    ],
    [
      "a link in place of a generated file",
      (out) => {
        put(out, { "../elsewhere/index.ts": "export {};\n" });
        rmSync(join(out, "index.ts"));
        symlinkSync("../elsewhere/index.ts", join(out, "index.ts"));
      },
      ["output-foreign: OUT contains files that were not generated: index.ts"],
    ],
    [
      "a link in place of a folder, even to remove orphans",
      (out) => {
        put(out, { "../elsewhere/types.ts": "old\n" });
        rmSync(join(out, "2025-11-25"), { recursive: true });
        symlinkSync("../elsewhere", join(out, "2025-11-25"));
      },
      ["output-foreign: OUT contains files that were not generated: 2025-11-25"],
    ],
    [
      "a link in place of the manifest",
      (out) => {
        put(out, { "../elsewhere/manifest.json": readFileSync(join(out, "manifest.json"), "utf8") });
        rmSync(join(out, "manifest.json"));
        symlinkSync("../elsewhere/manifest.json", join(out, "manifest.json"));
      },
      ["output-foreign: OUT contains files that were not generated: 2025-11-25, 2026-07-28, index.ts, manifest.json"],
    ],
    [
      "a pipe, without waiting for it",
      (out) => {
        rmSync(join(out, "index.ts"));
        execFileSync("mkfifo", [join(out, "index.ts")]);
      },
      ["output-foreign: OUT contains files that were not generated: index.ts"],
    ],
    [
      "a malformed manifest",
      (out) => put(out, { "manifest.json": "{" }),
      ["output-foreign: OUT contains files that were not generated: 2025-11-25, 2026-07-28, index.ts, manifest.json"],
    ],
    ...["../victim", "a/../../victim", "/tmp/victim", "..\\victim"].map(
      (path): [string, (folder: string) => void, readonly string[]] => [
        `a manifest that lists ${path}`,
        (out) => put(out, { "../victim": "victim", ...hostile(path) }),
        ["output-foreign: OUT contains files that were not generated: 2025-11-25, 2026-07-28, index.ts, manifest.json"],
      ],
    ),
    [
      "a staging folder that is a link, as a source of hashes",
      (out) => {
        put(out, { "index.ts": "mine\n", "../elsewhere/manifest.json": manifestOf({ "index.ts": "mine\n" }) });
        symlinkSync("../elsewhere", join(out, ".mcpwright-1"));
      },
      ["output-edited: OUT/index.ts was edited by hand after it was generated"],
    ],
  ])("%s", async (_, disturb, expected, next = { "new.ts": "new\n" }) => {
    const outer = sandbox();
    const folder = join(outer, "out");
    await write(folder, old);
    disturb(folder);
    const before = treeOf(outer);
    expect(
      await refusal(folder, write(folder, { "2026-07-28/types.ts": "changed\n", "index.ts": "next\n", ...next })),
    ).toEqual(expected);
    expect(treeOf(outer)).toEqual(before);
  });

  test.each<[name: string, tree: Tree, expected: string]>([
    ["a folder with foreign files", { "README.md": "", "src/a.ts": "" }, "README.md, src"],
    ["a folder with many", many, `${Object.keys(many).slice(0, 10).join(", ")}, 2 more`],
    ["a folder whose only file is named manifest.json", { "manifest.json": "{}" }, "manifest.json"],
  ])("%s, in every mode, without touching it", async (_, tree, expected) => {
    const folder = sandbox();
    put(folder, tree);
    const past = new Date("2001-01-01");
    utimesSync(folder, past, past);
    for (const mode of ["write", "check", "dry-run"] as const) {
      expect(await refusal(folder, write(folder, old, { mode }))).toEqual([
        `output-foreign: OUT contains files that were not generated: ${expected}`,
      ]);
    }
    expect(treeOf(folder)).toEqual(tree);
    expect(statSync(folder).mtime).toEqual(past);
  });

  test("a kept file that was edited: the manifest would have a wrong hash", async () => {
    const folder = await written();
    put(folder, { "2025-11-25/types.ts": "mine\n" });
    const run = write(folder, { "index.ts": "next\n" }, { keep: () => true });
    expect(await refusal(folder, run)).toEqual([
      "output-edited: OUT/2025-11-25/types.ts was edited by hand after it was generated",
    ]);
  });

  test("no edited file that already has the new content", async () => {
    const folder = await written();
    put(folder, { "index.ts": "next\n" });
    expect(await write(folder, { ...old, "index.ts": "next\n" })).toMatchObject({
      changed: ["manifest.json"],
      unchanged: 3,
    });
    expect(treeOf(folder)).toEqual(generated({ ...old, "index.ts": "next\n" }));
  });

  test("a file in place of the folder", async () => {
    const folder = join(sandbox(), "file");
    writeFileSync(folder, "");
    expect(await refusal(folder, write(folder, old))).toEqual(["output-is-file: OUT is a file, not a folder"]);
    expect(await refusal(folder, write(join(folder, "below"), old))).toEqual([
      "output-not-writable: cannot write OUT/below: ENOTDIR: not a directory",
    ]);
  });

  test("paths of the caller that leave the folder or collide", async () => {
    const folder = sandbox();
    await expect(write(folder, { "../a": "" })).rejects.toThrow("cannot be an output path");
    await expect(write(folder, { a: "", A: "" })).rejects.toThrow("differ only in case");
    expect(treeOf(folder)).toEqual({});
  });
});

describe.each<WriteOptions["mode"]>(["check", "dry-run"])("%s", (mode) => {
  test("reports nothing for a folder that is up to date", async () => {
    const folder = await written();
    expect(await write(folder, old, { mode })).toEqual({ added: [], changed: [], removed: [], unchanged: 4, diff: "" });
  });

  test("describes every difference, edited files too, and writes nothing", async () => {
    const folder = await written({ ...old, "kept.ts": "kept\n" });
    put(folder, { "index.ts": "mine\n", "2025-11-25/types.ts": "mine\n", "kept.ts": "mine\n" });
    const before = treeOf(folder);
    const files = { "index.ts": "export {};\n", "2026-07-28/types.ts": "types\n", "new.ts": "new\n" };
    const report = await write(folder, files, { mode, keep: (path) => path === "kept.ts" });
    expect(report).toMatchObject({
      added: ["new.ts"],
      changed: ["index.ts", "kept.ts", "manifest.json"],
      removed: ["2025-11-25/types.ts"],
      unchanged: 1,
    });
    const visited = report.diff?.match(/^(--- a|\+\+\+ b)\S+|^# \S+/gm);
    expect(visited).toEqual([
      "--- a/2025-11-25/types.ts",
      "--- a/index.ts",
      "+++ b/index.ts",
      "# kept.ts",
      "--- a/manifest.json",
      "+++ b/manifest.json",
      "+++ b/new.ts",
    ]);
    expect(report.diff).toContain("@@ -1,1 +1,1 @@\n-mine\n+export {};\n");
    expect(treeOf(folder)).toEqual(before);
  });

  test("does not create the folder", async () => {
    const folder = join(sandbox(), "a/b");
    expect(await write(folder, { "a.ts": "a\n" }, { mode })).toMatchObject({ added: ["a.ts", "manifest.json"] });
    expect(treeOf(join(folder, "../.."))).toEqual({});
  });
});
