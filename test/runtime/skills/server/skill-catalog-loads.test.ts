/** Loads of a catalog while its files change. */
import { parse } from "yaml";
import { describe, expect, test, vi } from "vitest";
import { memorySkillFiles, SkillCatalog, type SkillFiles } from "../../../../runtime/src/skills.js";
import { manifest } from "./skill-files.js";

const parseFrontmatter = parse as (yaml: string) => unknown;
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

/** Files whose lists wait, after the files were looked at, until the test ends them. */
function slowFiles(contents: Record<string, string>) {
  const pending: { end: () => void; fail: (error: Error) => void }[] = [];
  let change = (): void => undefined;
  const memory = memorySkillFiles(contents);
  const files: SkillFiles = {
    ...memory,
    async list() {
      const listed = await memory.list();
      await new Promise<void>((end, fail) => pending.push({ end, fail }));
      return listed;
    },
    watch(changed) {
      change = changed;
      return () => undefined;
    },
  };
  const next = async () => {
    await settled();
    return vi.waitFor(() => pending.shift() ?? expect.fail("nothing is being loaded"));
  };
  return { files, next, pending, change: () => change() };
}

function start(contents: Record<string, string>) {
  const slow = slowFiles(contents);
  const errors: Error[] = [];
  const onerror = (error: Error): void => void errors.push(error);
  const loading = SkillCatalog.load(slow.files, { parseFrontmatter, watch: true, onerror });
  return { ...slow, errors, loading };
}

const namesOf = ({ skills }: SkillCatalog): readonly string[] => skills.map(({ frontmatter }) => frontmatter.name);

describe("a change during a load", () => {
  test("is in the catalog after the reload that follows", async () => {
    const contents: Record<string, string> = { "a/SKILL.md": manifest("a") };
    const { loading, next, pending } = start(contents);
    (await next()).end();
    const catalog = await loading;
    const first = catalog.reload();
    const inFlight = await next();
    contents["b/SKILL.md"] = manifest("b");
    const others = Promise.all([catalog.reload(), catalog.reload()]);
    inFlight.end();
    await first;
    expect(namesOf(catalog)).toEqual(["a"]);
    (await next()).end();
    await others;
    expect(namesOf(catalog)).toEqual(["a", "b"]);
    expect(pending).toEqual([]);
  });

  test("is noticed by a catalog that watches, also if that load fails", async () => {
    const contents: Record<string, string> = { "a/SKILL.md": manifest("a") };
    const { loading, next, change, errors } = start(contents);
    (await next()).end();
    const catalog = await loading;
    change();
    const inFlight = await next();
    contents["b/SKILL.md"] = manifest("b");
    change();
    inFlight.fail(new Error("disk"));
    (await next()).end();
    await vi.waitFor(() => expect(namesOf(catalog)).toEqual(["a", "b"]));
    expect(errors.map(({ message }) => message)).toEqual(["disk"]);
  });

  test("is noticed if it is the first load, which does not overwrite it", async () => {
    const contents: Record<string, string> = { "a/SKILL.md": manifest("a") };
    const { loading, next, pending, change } = start(contents);
    const first = await next();
    contents["b/SKILL.md"] = manifest("b");
    change();
    await settled();
    expect(pending).toEqual([]);
    first.end();
    const catalog = await loading;
    (await next()).end();
    await vi.waitFor(() => expect(namesOf(catalog)).toEqual(["a", "b"]));
  });

  test("does not lead to another load if the first one fails", async () => {
    const { loading, next, pending, change } = start({ "a/SKILL.md": manifest("a") });
    const first = await next();
    change();
    first.fail(new Error("disk"));
    await expect(loading).rejects.toThrow("disk");
    await settled();
    expect(pending).toEqual([]);
  });
});

test("a skill with files that are gone whenever they are read is a problem", async () => {
  const memory = memorySkillFiles({ "a/SKILL.md": manifest("a"), "a/x.txt": "", "b/SKILL.md": manifest("b") });
  const files: SkillFiles = {
    ...memory,
    read: (path, mostBytes) => (path === "a/x.txt" ? Promise.resolve(undefined) : memory.read(path, mostBytes)),
  };
  await expect(SkillCatalog.load(files, { parseFrontmatter })).rejects.toMatchObject({
    problems: [{ path: "a", message: "its files changed or were gone while they were read; load it again" }],
  });
});
