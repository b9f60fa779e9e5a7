import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { afterEach, describe, expect, test } from "vitest";
import { folderSkillFiles, skillFolder } from "../../../../runtime/src/skills/node.js";
import type { SkillCatalog, SkillCatalogOptions, SkillChanges } from "../../../../runtime/src/skills.js";
import { sandbox } from "../../../generator/shared/files/sandbox.js";
import { manifest } from "../server/skill-files.js";

const outer = sandbox();
const root = join(outer, "skills");
const open: SkillCatalog[] = [];

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

async function load(options: Partial<SkillCatalogOptions> = {}): Promise<SkillCatalog> {
  const catalog = await skillFolder(root, { parseFrontmatter: parse as (yaml: string) => unknown, ...options });
  open.push(catalog);
  return catalog;
}

function start(): void {
  rmSync(outer, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  writeFileSync(join(outer, "secret.txt"), "secret");
  write("a/SKILL.md", manifest("a"));
  write("a/docs/x.md", "x");
}

afterEach(() => {
  for (const catalog of open.splice(0)) catalog.close();
});

describe("the skills in a folder", () => {
  test("are those of its files, without hidden ones", async () => {
    start();
    write("a/.DS_Store", "");
    write(".git/config", "");
    const catalog = await skillFolder(pathToFileURL(`${root}/`), {
      parseFrontmatter: parse as (yaml: string) => unknown,
    });
    expect(
      catalog.skills.map(({ resources }) => (resources as { uri: string }[]).map(({ uri }) => uri).sort()),
    ).toEqual([["skill://a/SKILL.md", "skill://a/docs/x.md"]]);
    expect(await catalog.read("skill://a/docs/x.md")).toEqual({ mimeType: "text/markdown", text: "x" });
  });

  test("a change of the same size and at the same time is found when the file is read", async () => {
    start();
    const catalog = await load();
    write("a/docs/x.md", "y");
    expect(await catalog.read("skill://a/docs/x.md")).toMatchObject({ text: "y" });
    expect(await catalog.read("skill://a/docs/x.md")).toMatchObject({ text: "y" });
  });
});

describe("links", () => {
  test("are followed if they stay in the folder", async () => {
    start();
    write("b/SKILL.md", manifest("b"));
    symlinkSync(join(root, "a/docs"), join(root, "b/docs"));
    symlinkSync("../a/docs/x.md", join(root, "b/y.md"));
    const catalog = await load();
    expect(await catalog.read("skill://b/docs/x.md")).toMatchObject({ text: "x" });
    expect(await catalog.read("skill://b/y.md")).toMatchObject({ text: "x" });
  });

  test.each([
    [
      "to a file outside",
      "../../secret.txt",
      "is a link that leads out of the folder, or nowhere; replace it by a copy",
    ],
    ["to a folder outside", "../..", "is a link that leads out of the folder, or nowhere; replace it by a copy"],
    ["that lead nowhere", "gone", "is a link that leads out of the folder, or nowhere; replace it by a copy"],
    ["to a folder above", "..", "is a link to a folder that contains it; remove it"],
  ])("%s are problems", async (_, target, message) => {
    start();
    symlinkSync(target, join(root, "a/link"));
    await expect(load()).rejects.toMatchObject({ problems: [{ path: "a/link", message }] });
  });

  test("that replace a file later are not followed out of the folder", async () => {
    start();
    const errors: Error[] = [];
    const catalog = await load({ onerror: (error) => errors.push(error) });
    rmSync(join(root, "a/docs/x.md"));
    symlinkSync(join(outer, "secret.txt"), join(root, "a/docs/x.md"));
    expect(await catalog.read("skill://a/docs/x.md")).toBeUndefined();
    expect(errors).toMatchObject([{ problems: [{ path: "a/docs/x.md" }] }]);
    rmSync(join(root, "a/docs"), { recursive: true });
    symlinkSync(outer, join(root, "a/docs"));
    expect(await folderSkillFiles(root).read("a/docs/secret.txt", 100)).toBeUndefined();
    expect(await folderSkillFiles(root).read("../secret.txt", 100)).toBeUndefined();
  });
});

test("a pipe is a problem, and reading one does not wait", async () => {
  start();
  execFileSync("mkfifo", [join(root, "a/pipe")]);
  await expect(load()).rejects.toMatchObject({
    problems: [{ path: "a/pipe", message: "is neither a file nor a folder; move it elsewhere" }],
  });
  expect(await folderSkillFiles(root).read("a/pipe", 100)).toBeUndefined();
});

test("a file of more bytes than a skill can have is not read", async () => {
  start();
  write("a/large.bin", new Uint8Array(17 * 1024 * 1024));
  await expect(load()).rejects.toThrow("a skill has at most 16777216");
  expect(await folderSkillFiles(root).read("a/large.bin", 100)).toBeUndefined();
});

test.each([
  ["nothing", "the folder of skills cannot be read: ENOENT"],
  ["secret.txt", "is not a folder; pass the folder that contains the skills"],
])("%s in place of the folder is an error", async (name, message) => {
  start();
  await expect(
    skillFolder(join(outer, name), { parseFrontmatter: parse as (yaml: string) => unknown }),
  ).rejects.toMatchObject({
    code: "INVALID_CONFIGURATION",
    message: expect.stringContaining(message) as string,
  });
});

test("a folder that is missing cannot be watched", async () => {
  rmSync(root, { recursive: true, force: true });
  await expect(load({ watch: true })).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
});

test("a watched folder is loaded again after changes, until the catalog is closed", async () => {
  start();
  const catalog = await load({ watch: true });
  const next = (): Promise<SkillChanges> =>
    new Promise((resolve) => {
      const end = catalog.subscribe((changes) => {
        end();
        resolve(changes);
      });
    });
  const changed = next();
  write("a/docs/x.md", "changed");
  expect(await changed).toEqual({ updated: ["skill://a/docs/x.md"], listChanged: true });
  const added = next();
  write("b/SKILL.md", manifest("b"));
  expect(await added).toEqual({ updated: [], listChanged: true });
  expect(catalog.skills.map(({ frontmatter }) => frontmatter.name)).toEqual(["a", "b"]);
  catalog.close();
  write("c/SKILL.md", manifest("c"));
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(catalog.skills.length).toBe(2);
  expect(existsSync(join(root, "c/SKILL.md"))).toBe(true);
});
