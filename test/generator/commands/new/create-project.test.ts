import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createProject } from "../../../../generator/commands/new/create-project.js";
import { parseRecord, recordPath } from "../../../../generator/shared/project/project-record.js";
import { renderProject } from "../../../../generator/commands/new/render-project.js";
import { calls, fullDisk, diskFailingOnce, watchedDisk } from "../../shared/files/broken-disk.js";
import { put, refusal, sandbox, treeOf } from "../../shared/files/sandbox.js";
import type { ProjectOptions } from "../../../../generator/shared/project/project-options.js";
import type { Tree } from "../../shared/files/tree.js";
import { projects, stdioServer as project } from "./project-options.js";

test.each(Object.entries(projects))("%s: all its files, and the record of them", async (_name, options) => {
  const folder = join(sandbox(), "deep/er");
  const { files } = await createProject({ folder, project: options });
  const { [recordPath]: record, ...texts } = treeOf(folder);
  expect(texts).toEqual(Object.fromEntries(await renderProject(options)));
  expect([...files]).toEqual([...Object.keys(texts), recordPath].sort());
  const read = parseRecord(record ?? "", recordPath);
  expect(read.options).toEqual(options);
  expect(Object.fromEntries(read.files)).toEqual(texts);
});

test("a folder with other things in it keeps them", async () => {
  const folder = sandbox();
  const before = { LICENSE: "mine\n", "src/mine.ts": "export {};\n", ".git/HEAD": "ref" };
  put(folder, before);
  await createProject({ folder, project });
  expect(treeOf(folder)).toMatchObject(before);
});

describe("lists existing files, and writes nothing", () => {
  test.each<[string, Tree, string]>([
    ["files", { "package.json": "{}", "src/main.ts": "mine", "other.txt": "" }, "package.json, src/main.ts"],
    ["a file where a folder is needed", { src: "a file" }, "src"],
    ["a folder where a file is needed", { "README.md/x": "" }, "README.md"],
    ["an earlier project", { [recordPath]: "{}" }, recordPath],
  ])("%s", async (_name, tree, listed) => {
    const folder = sandbox();
    put(folder, tree);
    const said = await refusal(folder, createProject({ folder, project }));
    expect(said).toEqual([`skeleton-conflict: OUT already contains ${listed}`]);
    expect(treeOf(folder)).toEqual(tree);
  });

  test("a link, wherever it leads", async () => {
    const [folder, elsewhere] = [sandbox(), sandbox()];
    symlinkSync(elsewhere, join(folder, "src"));
    expect(await refusal(folder, createProject({ folder, project }))).toEqual(["skeleton-conflict: OUT already contains src"]); // prettier-ignore
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("the folder is a file", async () => {
    const folder = sandbox();
    put(folder, { file: "" });
    for (const below of ["file", "file/below"]) {
      const said = await refusal(folder, createProject({ folder: join(folder, below), project }));
      expect(said).toEqual([`skeleton-folder-is-file: OUT/${below} is a file, not a folder`]);
    }
  });

  test("a path that no disk takes", async () => {
    const folder = sandbox();
    const said = await refusal(folder, createProject({ folder: join(folder, "x".repeat(300)), project }));
    expect(said?.[0]).toContain("ENAMETOOLONG");
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ["an unknown start", { start: "proxy" }],
    ["an option of another start", { start: "tasks", legacySse: true }],
  ])("%s", async (_name, options) => {
    const folder = sandbox();
    const wrong = { name: "x", ...options } as ProjectOptions;
    const said = await refusal(folder, createProject({ folder, project: wrong }));
    expect(said?.[0]).toMatch(/^skeleton-options-invalid: .* are not valid options/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a name that npm does not take", async () => {
    const folder = sandbox();
    const said = await refusal(folder, createProject({ folder, project: { ...project, name: "../x" } }));
    expect(said?.[0]).toContain("skeleton-name-invalid: ../x is not a valid package name");
    expect(readdirSync(folder)).toEqual([]);
  });
});

test("dry run: lists the same files, and makes not even the folder", async () => {
  const folder = sandbox();
  const { files } = await createProject({ folder: join(folder, "new"), project, dryRun: true });
  expect(files).toContain("src/main.ts");
  expect(readdirSync(folder)).toEqual([]);
});

describe("all or nothing", () => {
  test("on a disk that is full, at any moment", async () => {
    for (const at of [1, 3, 5, 20, 44, 46]) {
      const folder = sandbox();
      put(folder, { LICENSE: "mine\n" });
      const target = join(folder, "new/one");
      const said = await refusal(folder, createProject({ folder: target, project, disk: fullDisk(at) }));
      expect(said?.[0], `write ${at}`).toMatch(/^output-not-writable: .*ENOSPC/);
      expect(treeOf(folder)).toEqual({ LICENSE: "mine\n" });
    }
  });

  test("when any one call fails", async () => {
    let total = 0;
    const counting = watchedDisk(calls, (number) => (total = number));
    await createProject({ folder: join(sandbox(), "new"), project, disk: counting });
    for (const at of [1, 4, 40, Math.round(total / 2), total - 20, total - 2]) {
      const folder = sandbox();
      const said = await refusal(
        folder,
        createProject({ folder: join(folder, "new"), project, disk: diskFailingOnce(at) }),
      );
      const names = readdirSync(folder);
      // What fails while cleaning up afterwards has no say in it.
      if (said) expect(names.length === 0 || treeOf(folder)["new/"] === "", `call ${at}: ${names.join()}`).toBe(true);
      else expect(treeOf(join(folder, "new"))).toHaveProperty(["src/main.ts"]);
    }
  });

  test("beside a run that is under way", async () => {
    const folder = sandbox();
    mkdirSync(join(folder, "new"));
    const runs = ["one", "two", "three"].map((name) =>
      refusal(folder, createProject({ folder: join(folder, "new"), project: { ...project, name } })),
    );
    const said = await Promise.all(runs);
    expect(said.filter((one) => one === undefined)).toHaveLength(1);
    const winner = ["one", "two", "three"][said.indexOf(undefined)];
    expect(treeOf(join(folder, "new"))["package.json"]).toContain(`"name": "${winner}"`);
    expect(readdirSync(join(folder, "new")).filter((name) => name.startsWith(".mcpwright-"))).toEqual([]);
  });
});
