import { createHash } from "node:crypto";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import { memorySkillFiles, SkillCatalog, type SkillChanges, type SkillFiles } from "../../../../runtime/src/skills.js";
import { load, manifest, problemsOf, someFiles } from "./skill-files.js";

const digest = (content: string | Uint8Array): string => `sha256:${createHash("sha256").update(content).digest("hex")}`;
const git = "skill://git-workflow";
const tooLarge = 17 * 1024 * 1024;

describe("the skills of a catalog", () => {
  test("have the frontmatter as it is written, and the digest and size of every file", async () => {
    const skill = await (await load()).get(`${git}/SKILL.md`);
    expect(skill?.frontmatter).toEqual({
      name: "git-workflow",
      description: "Describes git-workflow",
      metadata: { version: "2.1.0" },
    });
    const paths = ["SKILL.md", "references/FORMS.md", "references/deep/more.md", "logo.png"];
    expect(skill?.resources).toEqual(
      paths.map((path) => {
        const content = someFiles[`git-workflow/${path}`] ?? "";
        return { uri: `${git}/${path}`, digest: digest(content), size: Buffer.from(content as string).length };
      }),
    );
  });

  test("contain those that are nested in others, whose files are files of both", async () => {
    const catalog = await load();
    expect(catalog.skills.map(({ uri }) => uri)).toEqual([
      "skill://acme/billing/refunds/SKILL.md",
      "skill://acme/billing/refunds/partial/SKILL.md",
      `${git}/SKILL.md`,
    ]);
    expect(catalog.skills[0]?.resources).toMatchObject([
      { uri: "skill://acme/billing/refunds/SKILL.md" },
      { uri: "skill://acme/billing/refunds/partial/SKILL.md" },
    ]);
  });

  test("have pages, each skill on one", async () => {
    const catalog = await load(undefined, { pageSize: 2 });
    const first = await catalog.list();
    const second = await catalog.list(first.nextCursor);
    expect([first.skills.length, second.skills.length, second.nextCursor]).toEqual([2, 1, undefined]);
    expect([...first.skills, ...second.skills]).toEqual(catalog.skills);
  });

  test.each(["", "x", btoa('["resources","skill://a"]'), btoa("{}")])("refuse the cursor %j", async (cursor) => {
    const catalog = await load();
    await expect(catalog.list(cursor)).rejects.toMatchObject({ code: -32602 });
    await expect(catalog.readDirectory(git, cursor)).rejects.toMatchObject({ code: -32602 });
  });

  test("are below the base URI, with encoded names", async () => {
    const files = { "a b/x/SKILL.md": manifest("x"), "a b/x/50% #1?.md": "", "a b/x/ü.txt": "ü" };
    const catalog = await load(files, { baseUri: "github://acme/skills/" });
    const at = "github://acme/skills/a%20b/x";
    expect(catalog.skills[0]?.resources).toMatchObject(
      ["SKILL.md", "50%25%20%231%3F.md", "%C3%BC.txt"].map((name) => ({ uri: `${at}/${name}` })),
    );
    expect(await catalog.read(`${at}/%C3%BC.txt`)).toEqual({ mimeType: "text/plain", text: "ü" });
    // The same URI in another spelling.
    expect(await catalog.read(`${at}/ü.txt`)).toMatchObject({ text: "ü" });
  });
});

describe("the files of a catalog", () => {
  test("are text if they are UTF-8, and bytes otherwise", async () => {
    const catalog = await load({
      ...someFiles,
      "git-workflow/bom.csv": "\uFEFFa,b",
      "git-workflow/data": new Uint8Array([255]),
    });
    expect(await catalog.read(`${git}/SKILL.md`)).toMatchObject({
      mimeType: "text/markdown",
      text: someFiles["git-workflow/SKILL.md"],
    });
    expect(await catalog.read(`${git}/logo.png`)).toEqual({
      mimeType: "image/png",
      blob: someFiles["git-workflow/logo.png"],
    });
    expect(await catalog.read(`${git}/bom.csv`)).toEqual({ mimeType: "text/csv", text: "\uFEFFa,b" });
    expect(await catalog.read(`${git}/data`)).toMatchObject({ mimeType: "application/octet-stream" });
  });

  test("are listed with a name, a type and a size; each SKILL.md with the name and description of its skill", async () => {
    const { resources } = await (await load()).listResources();
    expect(resources.map(({ uri }) => uri)).not.toContain("skill://acme/README.md");
    expect(resources.find(({ uri }) => uri === `${git}/SKILL.md`)).toEqual({
      uri: `${git}/SKILL.md`,
      name: "git-workflow",
      description: "Describes git-workflow",
      mimeType: "text/markdown",
      size: Buffer.byteLength(someFiles["git-workflow/SKILL.md"] as string),
    });
    expect(resources.find(({ uri }) => uri === `${git}/logo.png`)).toEqual({
      uri: `${git}/logo.png`,
      name: "logo.png",
      mimeType: "image/png",
      size: 4,
    });
  });

  test("are not found by other URIs", async () => {
    const catalog = await load();
    for (const uri of [
      git,
      `${git}/`,
      `${git}/SKILL`,
      `${git}/../acme`,
      "skill://acme/README.md",
      "nothing",
      "skill://git-workflow/%2e%2e/x",
    ])
      expect([uri, await catalog.read(uri), await catalog.get(uri)]).toEqual([uri, undefined, undefined]);
  });
});

describe("the directories of a catalog", () => {
  test("have their direct children, those that are directories with the type inode/directory", async () => {
    const catalog = await load();
    const childrenOf = async (uri: string) =>
      (await catalog.readDirectory(uri))?.resources.map(({ uri, name, mimeType }) => [uri, name, mimeType]);
    expect(await childrenOf(git)).toEqual([
      [`${git}/SKILL.md`, "git-workflow", "text/markdown"],
      [`${git}/logo.png`, "logo.png", "image/png"],
      [`${git}/references`, "references", "inode/directory"],
    ]);
    expect(await childrenOf(`${git}/references`)).toEqual([
      [`${git}/references/FORMS.md`, "FORMS.md", "text/markdown"],
      [`${git}/references/deep`, "deep", "inode/directory"],
    ]);
    expect(await childrenOf("skill://acme")).toEqual([["skill://acme/billing", "billing", "inode/directory"]]);
  });

  test("have pages", async () => {
    const catalog = await load(undefined, { pageSize: 2 });
    const first = await catalog.readDirectory(git);
    const second = await catalog.readDirectory(git, first?.nextCursor);
    expect([first?.resources.length, second?.resources.length, second?.nextCursor]).toEqual([2, 1, undefined]);
    await expect(catalog.readDirectory(`${git}/references`, first?.nextCursor)).rejects.toMatchObject({ code: -32602 });
  });

  test.each([`${git}/SKILL.md`, "skill://nothing", "", "skill://"])("%j is none", async (uri) => {
    expect(await (await load()).readDirectory(uri)).toBeUndefined();
  });
});

const many = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      index === 0 ? "a/SKILL.md" : `a/${index}.txt`,
      index === 0 ? manifest("a") : "",
    ]),
  );

describe("a catalog is not created", () => {
  test.each<[problem: string, files: Record<string, string | Uint8Array>, expected: readonly string[]]>([
    ["without SKILL.md", { "a/x.md": "" }, ["a: has no SKILL.md; add one, or move the folder elsewhere"]],
    ["with skill.md", { "a/x.md": "", "a/skill.md": "" }, ["a: has no SKILL.md; rename a/skill.md"]],
    [
      "with a folder without one beside a skill",
      { "g/a/SKILL.md": manifest("a"), "g/b/c/x.md": "" },
      ["g/b: has no SKILL.md; add one, or move the folder elsewhere"],
    ],
    [
      "with SKILL.md in no folder",
      { "SKILL.md": manifest("a") },
      ["SKILL.md: put it into a folder that has the name of the skill"],
    ],
    [
      "with another name than its folder",
      { "b/SKILL.md": manifest("a") },
      ['b/SKILL.md: frontmatter.name must be "b", not "a"'],
    ],
    [
      "with an invalid name",
      { "A_b/SKILL.md": manifest("A_b") },
      ['A_b/SKILL.md: frontmatter.name must be 1 to 64 lower-case letters, digits and single hyphens, not "A_b"'],
    ],
    [
      "without frontmatter",
      { "a/SKILL.md": "# a" },
      ['a/SKILL.md:1: begin it with YAML between two lines "---" (frontmatter)'],
    ],
    [
      "with frontmatter that does not end",
      { "a/SKILL.md": "---\nname: a\n" },
      ['a/SKILL.md:1: begin it with YAML between two lines "---" (frontmatter)'],
    ],
    [
      "with a list as frontmatter",
      { "a/SKILL.md": "---\n- a\n---\n" },
      ["a/SKILL.md:2: its frontmatter must be a mapping of keys to values"],
    ],
    [
      "without a description",
      { "a/SKILL.md": "---\nname: a\n---\n" },
      ["a/SKILL.md: frontmatter.description must be a string that is not empty, not nothing"],
    ],
    ["that is not UTF-8", { "a/SKILL.md": new Uint8Array([255]) }, ["a/SKILL.md: is not UTF-8; save it as UTF-8"]],
    [
      "with a reserved key",
      { "a/SKILL.md": manifest("a", "metadata: { io.modelcontextprotocol/x: 1 }\n") },
      [
        "a/SKILL.md: metadata has the key io.modelcontextprotocol/x; keys that begin with io.modelcontextprotocol/ are reserved",
      ],
    ],
    [
      "with a name of another skill",
      { "x/a/SKILL.md": manifest("a"), "y/a/SKILL.md": manifest("a") },
      ["y/a: x/a has the name a, too; rename one of them, or set allowDuplicateNames"],
    ],
    ["with 513 files", many(513), ["a: has 513 files; a skill has at most 512"]],
    [
      "with 17 MiB",
      { "a/SKILL.md": manifest("a"), "a/x.bin": new Uint8Array(tooLarge) },
      [`a: has ${tooLarge + manifest("a").length} bytes; a skill has at most 16777216`],
    ],
    [
      "with a path that climbs out",
      { "a/SKILL.md": manifest("a"), "a/../x": "" },
      ['a/../x: a path has names separated by "/", none of them empty, "." or ".."'],
    ],
    [
      "with a folder that cannot be in a URI",
      { "a:b/c/SKILL.md": manifest("c") },
      ["a:b/c/SKILL.md: its path cannot be part of a URI; rename it"],
    ],
    [
      "with a name that is not Unicode",
      { "a/SKILL.md": manifest("a"), "a/\uD800": "" },
      ["a/\uD800: its path cannot be part of a URI; rename it"],
    ],
  ])("%s", async (_, files, expected) => {
    expect(await problemsOf(files)).toEqual(expected);
  });

  test("with invalid YAML; the error names the line of the file", async () => {
    const [problem] = await problemsOf({ "a/SKILL.md": '---\nname: a\ndescription: "x\n---\n# a\n' });
    expect(problem).toMatch(/^a\/SKILL\.md:4: invalid YAML: [^:]+$/);
  });

  test("with values that JSON does not have", async () => {
    const parseFrontmatter = (): unknown => ({ name: "a", description: "b", metadata: { on: [new Date(0)] } });
    expect(await problemsOf({ "a/SKILL.md": manifest("a") }, { parseFrontmatter })).toEqual([
      "a/SKILL.md: its frontmatter has a value at metadata.on[0] that JSON does not have; quote it, or pass a parser of the YAML 1.2 core schema",
    ]);
  });

  test("with the line that js-yaml states", async () => {
    const parseFrontmatter = (): never => {
      throw Object.assign(new Error("bad indentation\nmore"), { mark: { line: 2 } });
    };
    expect(await problemsOf({ "a/SKILL.md": manifest("a") }, { parseFrontmatter })).toEqual([
      "a/SKILL.md:4: invalid YAML: bad indentation",
    ]);
  });

  test.each<[options: object, message: string]>([
    [{ parseFrontmatter: undefined }, "parseFrontmatter must be a function"],
    [{ baseUri: "skill:" }, 'baseUri must begin with a scheme and "://"'],
    [{ baseUri: "skill://a" }, 'and end with "/"'],
    [{ pageSize: Number.NaN }, "pageSize"],
    [{ limits: { files: Number.NaN } }, "files"],
    [{ watch: true }, "these files cannot be watched"],
  ])("with the options %j", async (options, message) => {
    await expect(load(undefined, options)).rejects.toMatchObject({
      code: "INVALID_CONFIGURATION",
      message: expect.stringContaining(message) as string,
    });
  });
});

test("512 files and 16 MiB are accepted, and duplicate names if the option says so", async () => {
  expect((await load(many(512))).skills[0]?.resources.length).toBe(512);
  const rest = 16 * 1024 * 1024 - manifest("a").length;
  expect((await load({ "a/SKILL.md": manifest("a"), "a/x.bin": new Uint8Array(rest) })).skills.length).toBe(1);
  const twice = { "x/a/SKILL.md": manifest("a"), "y/a/SKILL.md": manifest("a") };
  expect((await load(twice, { allowDuplicateNames: true })).skills.length).toBe(2);
});

test("with onerror, the others are served", async () => {
  const errors: Error[] = [];
  const catalog = await load({ ...someFiles, "b/SKILL.md": manifest("a") }, { onerror: (error) => errors.push(error) });
  expect(catalog.skills.length).toBe(3);
  expect(errors).toMatchObject([{ name: "SkillCatalogError", problems: [{ path: "b/SKILL.md" }] }]);
});

describe("when files change", () => {
  const start = async () => {
    const files = { ...someFiles } as Record<string, string | Uint8Array>;
    const catalog = await load(files);
    const changes: SkillChanges[] = [];
    const errors: Error[] = [];
    catalog.subscribe(
      (one) => changes.push(one),
      (error) => errors.push(error),
    );
    return { files, catalog, changes, errors };
  };

  test("a file is never returned with the digest of another: the skill is loaded again first", async () => {
    const { files, catalog, changes } = await start();
    const uri = `${git}/references/FORMS.md`;
    files["git-workflow/references/FORMS.md"] = "# FORMS\n";
    expect(await catalog.read(uri)).toMatchObject({ text: "# FORMS\n" });
    expect((await catalog.get(`${git}/SKILL.md`))?.resources).toContainEqual({
      uri,
      digest: digest("# FORMS\n"),
      size: 8,
    });
    expect(changes).toEqual([{ updated: [uri], listChanged: true }]);
  });

  test("a file that is gone is not found, and neither is its skill", async () => {
    const { files, catalog, changes, errors } = await start();
    Reflect.deleteProperty(files, "git-workflow/SKILL.md");
    expect(await catalog.read(`${git}/SKILL.md`)).toBeUndefined();
    expect(await catalog.get(`${git}/SKILL.md`)).toBeUndefined();
    expect([changes.length, errors.length, errors[0]?.message]).toEqual([
      1,
      1,
      "skills cannot be served:\n  git-workflow: has no SKILL.md; add one, or move the folder elsewhere",
    ]);
  });

  test("reload finds new skills, and leaves those out that have become invalid", async () => {
    const { files, catalog, changes, errors } = await start();
    files["new/SKILL.md"] = manifest("new");
    files["git-workflow/SKILL.md"] = "broken";
    await catalog.reload();
    expect(catalog.skills.map(({ frontmatter }) => frontmatter.name)).toEqual(["refunds", "partial", "new"]);
    expect([changes, errors.length]).toEqual([[{ updated: [], listChanged: true }], 1]);
    await catalog.reload();
    expect(changes.length).toBe(1);
  });

  test("a reload that fails leaves the catalog as it is", async () => {
    const memory = memorySkillFiles(someFiles);
    let isBroken = false;
    const files: SkillFiles = { ...memory, list: () => (isBroken ? Promise.reject(new Error("disk")) : memory.list()) };
    const catalog = await SkillCatalog.load(files, { parseFrontmatter: parse as (yaml: string) => unknown });
    isBroken = true;
    await expect(catalog.reload()).rejects.toThrow("disk");
    expect(catalog.skills.length).toBe(3);
  });

  test("a file that changes with every read is an error, and one that cannot be read a problem", async () => {
    let count = 0;
    const files: SkillFiles = {
      ...memorySkillFiles({ "a/SKILL.md": manifest("a"), "a/x.txt": "0" }),
      read: (path) =>
        Promise.resolve(new TextEncoder().encode(path === "a/x.txt" ? String(count++ % 10) : manifest("a"))),
    };
    const catalog = await SkillCatalog.load(files, { parseFrontmatter: parse as (yaml: string) => unknown });
    await expect(catalog.read("skill://a/x.txt")).rejects.toMatchObject({ code: -32603 });
    const broken: SkillFiles = { ...files, read: () => Promise.reject(new Error("EACCES: no")) };
    await expect(SkillCatalog.load(broken, { parseFrontmatter: parse as (yaml: string) => unknown })).rejects.toThrow(
      "a: cannot be read: EACCES: no",
    );
  });

  test("files with the same version are not read again", async () => {
    const memory = memorySkillFiles(someFiles);
    const read: string[] = [];
    const files: SkillFiles = {
      async list() {
        const { files, problems } = await memory.list();
        return { files: files.map((file) => ({ ...file, version: "1" })), problems };
      },
      read: (path, most) => (read.push(path), memory.read(path, most)),
    };
    const catalog = await SkillCatalog.load(files, { parseFrontmatter: parse as (yaml: string) => unknown });
    const { length } = read;
    await catalog.reload();
    expect([length, read.length]).toEqual([6, 6]);
  });
});
