/** Loading skills from objects and folders with the official server package and with ours. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as originalSkills from "@modelcontextprotocol/server/ext/skills";
import * as originalNode from "@modelcontextprotocol/server/ext/skills/node";
import * as ownSkills from "@mcpwright/compat/server/ext/skills";
import * as ownNode from "@mcpwright/compat/server/ext/skills/node";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";

type Skills = typeof originalSkills;
type Node = typeof originalNode;
const sdks: readonly (readonly [Skills, Node])[] = [
  [originalSkills, originalNode],
  [ownSkills as unknown as Skills, ownNode as unknown as Node],
];

type Program = (skills: Skills, node: Node) => unknown;

/** Runs a program with both packages. Messages of problems are worded differently. */
async function compare(program: Program): Promise<unknown> {
  const [expected, found] = await Promise.all(
    sdks.map(async ([skills, node]) => {
      try {
        return await program(skills, node);
      } catch (error) {
        const { name, problems } = error as originalSkills.SkillCatalogError;
        const isOwn = error instanceof skills.SkillCatalogError && skills.SkillCatalogError.isInstance(error);
        return { name, isOwn, paths: (problems as typeof problems | undefined)?.map(({ path }) => path) };
      }
    }),
  );
  expect(found).toEqual(expected);
  return found;
}

type Files = Readonly<Record<string, string | Uint8Array>>;

const ok = "---\nname: pdf\ndescription: Reads\n---\n";
const entryUri = "skill://pdf/SKILL.md";
const withFrontmatter = (yaml: string): Files => ({ "pdf/SKILL.md": `---\n${yaml}\n---\n` });

/** Returns the entries and warnings of files, or the problems with the option `strict`. */
function load(files: Files, options: originalSkills.SkillCatalogOptions = {}): Program {
  return async ({ SkillCatalog, memorySkillFiles }) => {
    const warnings: string[] = [];
    const onWarning = ({ path, message }: originalSkills.SkillWarning): void =>
      void warnings.push(message === "" ? "empty" : path);
    const catalog = await SkillCatalog.load(memorySkillFiles({ ...files }), { onWarning, ...options });
    return { entries: catalog.entries, warnings };
  };
}

const folders: Readonly<Record<string, Files>> = {
  nothing: {},
  "a valid skill": { "pdf/SKILL.md": ok, "pdf/a.md": "" },
  "nested skills": {
    "pdf/SKILL.md": ok,
    "pdf/sub/in/SKILL.md": ok.replace("pdf", "in"),
    "pdf/sub/in/x.bin": new Uint8Array(3),
  },
  "skills with one name": { "a/pdf/SKILL.md": ok, "b/pdf/SKILL.md": ok },
  "a SKILL.md at the root": { "SKILL.md": ok },
  "a file skill.md": { "pdf/skill.md": ok, "x/SKILL.MD": ok },
  "hidden files": { "pdf/SKILL.md": ok, "pdf/.git/config": "x", ".x/SKILL.md": ok },
  "another name": { "other/SKILL.md": ok },
  "no frontmatter": { "pdf/SKILL.md": "# PDF" },
  "an open frontmatter": { "pdf/SKILL.md": "---\nname: pdf\ndescription: x\n" },
  "empty frontmatter": { "pdf/SKILL.md": "---\n---\n" },
  "CRLF and a byte order mark": { "pdf/SKILL.md": `\uFEFF${ok.replaceAll("\n", "\r\n")}` },
  "a SKILL.md that is not UTF-8": { "pdf/SKILL.md": new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xff]) },
  "an array": withFrontmatter("- name: pdf"),
  "invalid YAML": withFrontmatter("name: [pdf"),
  "a repeated key": withFrontmatter("name: pdf\ndescription: x\nname: pdf"),
  "an alias": withFrontmatter("name: &name pdf\ndescription: *name"),
  "a tag": withFrontmatter("name: pdf\ndescription: !x y"),
  "a key __proto__": withFrontmatter("name: pdf\ndescription: x\n__proto__:\n  a: b"),
  "a number that JSON does not have": withFrontmatter("name: pdf\ndescription: x\nversion: .inf"),
  "values of all kinds": withFrontmatter(
    "name: pdf\ndescription: >-\n  a\n  b\nlist: [1, 2.5, true, null, ~, 0x1f, '1', 2026-01-01, no]\nmap:\n  - a: b\n    c: |\n      d\n  - e",
  ),
  "a number as the name": { "1/SKILL.md": "---\nname: 1\ndescription: x\n---\n" },
  "no description": withFrontmatter("name: pdf"),
  "an empty description": withFrontmatter("name: pdf\ndescription: ''"),
  "the longest description": withFrontmatter(`name: pdf\ndescription: ${"😀".repeat(1024)}`),
  "a longer description": withFrontmatter(`name: pdf\ndescription: ${"x".repeat(1025)}`),
  "a long compatibility": withFrontmatter(`name: pdf\ndescription: x\ncompatibility: ${"x".repeat(501)}`),
  "numbers in metadata": withFrontmatter("name: pdf\ndescription: x\nmetadata:\n  version: 2"),
  "an invalid name": { "Pdf/SKILL.md": ok.replace("pdf", "Pdf"), "a--b/SKILL.md": ok.replace("pdf", "a--b") },
  "names with all characters": {
    "pdf/SKILL.md": ok,
    "pdf/a !\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~é😀": "",
    "a b&c:d@é[1]/pdf/SKILL.md": ok,
  },
  "a name that no URI can contain": { "pdf/SKILL.md": ok, "pdf/\uD800": "", "ok/SKILL.md": ok.replace("pdf", "ok") },
  "a path that leads out": { "pdf/SKILL.md": ok, "pdf/../../x": "" },
  "paths in other forms": { "./pdf//SKILL.md": ok, "/pdf/./a": "" },
  "names of the prototype": { "__proto__/pdf/SKILL.md": ok, "pdf/SKILL.md": ok, "pdf/constructor": "" },
};

describe.each(Object.entries(folders))("a catalog with %s", (_name, files) => {
  test("has the same entries and warnings", async () => {
    expect(await compare(load(files))).toBeDefined();
  });

  test("has the same problems with strict", async () => {
    expect(await compare(load(files, { strict: true }))).toBeDefined();
  });
});

test("skills over the limits are served, and refused with strict", async () => {
  const files = { "pdf/SKILL.md": ok, "pdf/a": "1234", "ok/SKILL.md": ok.replace("pdf", "ok") };
  for (const limits of [{ files: 1 }, { bytes: 40 }])
    expect(await compare(load(files, { limits }))).toMatchObject({ entries: { length: 2 }, warnings: ["pdf"] });
  expect(await compare(load(files, { limits: { files: 1 }, strict: true }))).toMatchObject({
    isOwn: true,
    paths: ["pdf"],
  });
});

test("entries cannot be changed", async () => {
  const program: Program = async (skills) => {
    const { entries } = await skills.SkillCatalog.load(skills.memorySkillFiles({ "pdf/SKILL.md": ok }));
    const [entry] = entries;
    if (!entry || entry.resources === "dynamic") return undefined;
    return [entries, entry, entry.frontmatter, entry.resources, entry.resources[0]].map((one) => Object.isFrozen(one));
  };
  expect(await compare(program)).toEqual([true, true, true, true, true]);
});

test("failures of a storage are named", async () => {
  const failing =
    (change: Partial<originalSkills.SkillFiles>): Program =>
    ({ SkillCatalog, memorySkillFiles }) =>
      SkillCatalog.load({ ...memorySkillFiles({ "pdf/SKILL.md": ok }), ...change });
  const fail = (): never => {
    throw new Error("broken");
  };
  expect(await compare(failing({ list: fail }))).toEqual({ name: "SkillCatalogError", isOwn: true, paths: ["."] });
  expect(await compare(failing({ read: fail }))).toEqual({
    name: "SkillCatalogError",
    isOwn: true,
    paths: ["pdf/SKILL.md"],
  });
});

test.each(["", "a/b"])("the name %o of a storage is refused", async (name) => {
  const files = {
    list: () => Promise.resolve([{ name, kind: "directory" as const }]),
    read: () => Promise.reject(new Error()),
  };
  await expect(ownSkills.SkillCatalog.load(files)).rejects.toThrow(`${JSON.stringify(name)} is not the name`);
});

test("a failed reload changes nothing", async () => {
  const program: Program = async ({ SkillCatalog, memorySkillFiles }) => {
    const files: Record<string, string> = { "pdf/SKILL.md": ok };
    const catalog = await SkillCatalog.load(memorySkillFiles(files), { strict: true });
    const { entries } = catalog;
    files["pdf/SKILL.md"] = "# PDF";
    const failed = await catalog.reload().catch((error: unknown) => (error as Error).name);
    const isSame = catalog.entries === entries;
    files["pdf/SKILL.md"] = ok.replace("Reads", "Writes");
    return [failed, isSame, await catalog.reload(), catalog.entries];
  };
  const found = await compare(program);
  expect(found).toMatchObject([
    "SkillCatalogError",
    true,
    { changed: [entryUri], listChanged: true },
    [{ uri: entryUri }],
  ]);
});

const entryPrograms: Readonly<Record<string, Program>> = {
  "an entry": ({ skillEntry }) => skillEntry("a/pdf", { "SKILL.md": ok, "x/y.bin": new Uint8Array([1]), "b.md": "é" }),
  "an entry at another place": ({ skillEntry }) =>
    skillEntry("pdf", { "SKILL.md": ok }, { baseUri: "https://example.com/x/" }),
  "no SKILL.md": ({ skillEntry }) => skillEntry("pdf", { "a.md": "" }),
  "another name": ({ skillEntry }) => skillEntry("x", { "SKILL.md": ok }),
  "a folder above": ({ skillEntry }) => skillEntry("../pdf", { "SKILL.md": ok }),
  "a file above": ({ skillEntry }) => skillEntry("pdf", { "SKILL.md": ok, "../x": "" }),
  "no folder": ({ skillEntry }) => skillEntry("", { "SKILL.md": ok }),
  "one file twice": ({ skillEntry }) => skillEntry("pdf", { "SKILL.md": ok, "a.md": "", "./a.md": "" }),
};

test.each(Object.entries(entryPrograms))("skillEntry with %s returns the same", async (_name, program) => {
  expect(await compare(program)).toBeDefined();
});

const memoryPrograms: Readonly<Record<string, Program>> = {
  "lists the root": ({ memorySkillFiles }) => memorySkillFiles({ "a/b": "", c: "" }).list(""),
  "lists a folder": ({ memorySkillFiles }) => memorySkillFiles({ "./a//b/c": "", "a/d": "" }).list("a"),
  "lists a folder that is missing": ({ memorySkillFiles }) => memorySkillFiles({}).list("a"),
  "reads text": ({ memorySkillFiles }) => memorySkillFiles({ "a/b": "é" }).read("a/b"),
  "reads by another spelling": ({ memorySkillFiles }) => memorySkillFiles({ "./a//b": "é" }).read("a/b"),
  "reads what is missing": ({ memorySkillFiles }) => memorySkillFiles({}).read("constructor"),
};

test.each(Object.entries(memoryPrograms))("a program that %s of memory sees the same", async (_name, program) => {
  expect(await compare(program)).toBeDefined();
});

test("errors have the same form", async () => {
  const program: Program = ({ SkillCatalogError }) => {
    const error = new SkillCatalogError([
      { path: "a", message: "is wrong" },
      { path: "b", message: "is missing" },
    ]);
    return [
      error.message,
      error.name,
      error.problems,
      SkillCatalogError.isInstance(new Error()),
      SkillCatalogError.isInstance(error),
    ];
  };
  expect(await compare(program)).toEqual([
    "2 skill problems:\n  a: is wrong\n  b: is missing",
    "SkillCatalogError",
    [
      { path: "a", message: "is wrong" },
      { path: "b", message: "is missing" },
    ],
    false,
    true,
  ]);
});

describe.skipIf(process.platform === "win32")("a folder", () => {
  const root = temporaryFolder("skills");
  const outside = temporaryFolder("outside");
  const write = (folder: string, files: Files): void => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  };
  write(outside, { "secret.md": "secret", "evil/SKILL.md": ok.replace("pdf", "evil") });
  write(root, {
    "pdf/SKILL.md": ok,
    "pdf/references/a.md": "a",
    "pdf/.env": "secret",
    "linked/SKILL.md": ok.replace("pdf", "linked"),
    "notes/README": "",
  });
  symlinkSync(join(outside, "secret.md"), join(root, "linked/secret.md"));
  symlinkSync(join(outside, "evil"), join(root, "evil"));
  mkdirSync(join(root, "manifest"));
  symlinkSync(join(root, "pdf/SKILL.md"), join(root, "manifest/SKILL.md"));
  mkdirSync(join(root, "pdf/empty"));

  test("has the same entries and warnings", async () => {
    const program: Program = async (_skills, { loadSkills }) => {
      const warnings: string[] = [];
      const { entries } = await loadSkills(root, { onWarning: ({ path }) => void warnings.push(path) });
      return { entries, warnings };
    };
    expect(await compare(program)).toMatchObject({
      entries: [{ uri: entryUri }],
      warnings: ["evil", "linked/secret.md", "manifest/SKILL.md"],
    });
  });

  test("has the same problems with strict", async () => {
    expect(await compare((_skills, { loadSkills }) => loadSkills(root, { strict: true }))).toMatchObject({
      isOwn: true,
      paths: ["evil", "linked/secret.md", "manifest/SKILL.md"],
    });
  });

  test("that does not exist is an error", async () => {
    expect(await compare((_skills, { loadSkills }) => loadSkills(join(root, "none")))).toMatchObject({ paths: ["."] });
  });

  const paths = ["pdf/SKILL.md", "./pdf//SKILL.md", "/pdf/SKILL.md", "pdf", "none", "linked/secret.md"];
  const above = ["..", "pdf/../../x", "pdf/..", "../pdf/SKILL.md"];
  test.each([...paths, ...above])("is read at %s in the same way", async (path) => {
    const program: Program = async (_skills, { nodeSkillFiles }) => {
      const files = nodeSkillFiles(root);
      const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code ?? (error as Error).name;
      const list = await files
        .list(path)
        .then((children) => children.map(({ name, kind }) => `${name} ${kind}`).sort(), codeOf);
      return [list, await files.read(path).then((bytes) => Buffer.from(bytes).toString(), codeOf)];
    };
    const found = await compare(program);
    if (above.includes(path)) expect(found).toEqual(["TypeError", "TypeError"]);
    else expect(JSON.stringify(found)).not.toContain('secret"');
  });

  test("is not left by a link on the way", async () => {
    const files = ownNode.nodeSkillFiles(root);
    await expect(files.read("evil/SKILL.md")).rejects.toThrow(TypeError);
    await expect(files.list("evil")).rejects.toThrow(TypeError);
  });

  test("does not wait for the writer of a pipe", async () => {
    execFileSync("mkfifo", [join(root, "notes/pipe")]);
    await expect(ownNode.nodeSkillFiles(root).read("notes/pipe")).rejects.toThrow("notes/pipe is not a regular file");
  });
});
