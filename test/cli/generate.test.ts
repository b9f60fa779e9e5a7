import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../end-to-end/compile.js";
import { differing } from "../end-to-end/trees.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import type { Tree } from "../generator/shared/files/tree.js";
import { cli, cliOn, root } from "./command-line.js";

const ids = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const revisionFiles = [
  "client.ts",
  "constants.ts",
  "index.ts",
  "issues.ts",
  "methods.ts",
  "model.json",
  "profile.ts",
  "schema.json",
  "server.ts",
  "standard-schema.ts",
  "types.ts",
  "validate.ts",
];
/** What a revision has besides where its older neighbour is there. */
const stepFiles = ["conversions.ts", "losses.ts"];
const sharedFiles = [
  "authorization.ts",
  "availability.ts",
  "check-further.ts",
  "check-shape.ts",
  "checks.ts",
  "client-issues.ts",
  "client-sides.ts",
  "contract.ts",
  "conversion-functions.ts",
  "conversions.ts",
  "convert.ts",
  "find-issues.ts",
  "index.ts",
  "issues.ts",
  "layer-extension.ts",
  "losses.ts",
  "manifest.json",
  "names.ts",
  "negotiate.ts",
  "package.json",
  "revisions.ts",
  "server-issues.ts",
  "server-sides.ts",
  "shapes.ts",
  "standard-schema.ts",
  "support.ts",
];
const extensionFiles = [
  "index.ts",
  "issues.ts",
  "methods.ts",
  "model.json",
  "schema.json",
  "standard-schema.ts",
  "types.ts",
  "validate.ts",
];
const allFiles = [
  ...[...extensionFiles, "app.ts", "host.ts"].map((file) => `extensions/apps/${file}`),
  ...[...extensionFiles, "client.ts", "server.ts"].map((file) => `extensions/skills/${file}`),
  ...[...extensionFiles, "client.ts", "server.ts"].map((file) => `extensions/tasks/${file}`),
  ...ids.flatMap((id) => revisionFiles.map((file) => `${id}/${file}`)),
  ...ids.slice(1).flatMap((id) => stepFiles.map((file) => `${id}/${file}`)),
  ...sharedFiles,
].sort();

/** All revisions, generated once; tests work on copies. */
const complete = { folder: "", tree: {} as Tree, out: "", err: "", code: NaN as number | null };

beforeAll(async () => {
  const folder = join(sandbox(), "new/out");
  Object.assign(complete, await cli("generate", "--out", folder), { folder, tree: treeOf(folder) });
});

function copy(): string {
  const folder = join(sandbox(), "out");
  cpSync(complete.folder, folder, { recursive: true });
  return folder;
}

/** A copy of a schema that is one revision later and confirms the older one's facts. */
function laterRevision(id: string): string {
  const folder = join(sandbox(), id);
  const schema = readFileSync(join(root, "schema/2026-07-28/schema.ts"), "utf8").replaceAll("2026-07-28", id);
  put(folder, { "schema.ts": schema, "overlay.json": JSON.stringify({ extends: "2026-07-28" }) });
  return join(folder, "schema.ts");
}

describe("generate", () => {
  test("makes the folder and all files of all revisions", () => {
    expect(complete.code).toBe(0);
    expect(Object.keys(complete.tree).sort()).toEqual(allFiles);
    expect(complete.out).toBe(
      `5 revisions and 3 extensions in ${complete.folder}: ${allFiles.length} files were added, 0 changed, 0 removed; 0 unchanged\n`,
    );
  });

  test("a second time changes nothing and reads nothing", async () => {
    const { folder, tree } = complete;
    const { code, out, err } = await cliOn({ isTTY: true }, "generate", "--out", folder);
    expect({ code, out }).toEqual({
      code: 0,
      out: `5 revisions and 3 extensions in ${folder}: 0 files were added, 0 changed, 0 removed; ${allFiles.length} unchanged\n`,
    });
    expect(err.split("\r\u001b[K").at(-1)).toMatch(/^shared {2}write \d+ ms\n$/);
    expect(differing(tree, treeOf(folder))).toEqual([]);
  });

  test("one revision leaves the others as they are and knows them", async () => {
    const folder = copy();
    rmSync(join(folder, "2025-11-25"), { recursive: true });
    const ofOne = revisionFiles.length + stepFiles.length;
    const { code, out } = await cli("generate", "2025-11-25", "--out", folder);
    expect({ code, out }).toEqual({
      code: 0,
      out: `5 revisions and 3 extensions in ${folder}: ${ofOne} files were added, 0 changed, 0 removed; ${allFiles.length - ofOne} unchanged\n`,
    });
    expect(differing(complete.tree, treeOf(folder))).toEqual([]);
  });

  test("a revision named twice is generated once", async () => {
    const folder = join(sandbox(), "out");
    const { out } = await cli("generate", "2024-11-05", "2024-11-05", "--only", "profile", "--out", folder);
    expect(out).toMatch(/^1 revision in /);
  });

  test("--schema adds a revision to a folder", async () => {
    const folder = copy();
    const { code, err } = await cli("generate", "--schema", laterRevision("2027-01-01"), "--out", folder);
    expect({ code, findings: err.includes("finding[") }).toEqual({ code: 0, findings: false });
    const after = treeOf(folder);
    expect(differing(complete.tree, after)).toEqual(
      [
        ...[...revisionFiles, ...stepFiles].map((file) => `2027-01-01/${file}`),
        "authorization.ts",
        "availability.ts",
        "client-issues.ts",
        "client-sides.ts",
        "conversions.ts",
        "losses.ts",
        "manifest.json",
        "names.ts",
        "revisions.ts",
        "server-issues.ts",
        "server-sides.ts",
        "shapes.ts",
      ].sort(),
    );
    expect(after["revisions.ts"]).toContain('"2026-07-28", "2027-01-01"] as const');
    expect(after["names.ts"]).toContain("/** Method in 2026-07-28, 2027-01-01. */\nexport const SERVER_DISCOVER =");
    expect(after["server-sides.ts"]).toContain('import { serverSide as side0 } from "./2027-01-01/index.js";');
  });

  test("--schema of a known revision takes its place", async () => {
    const folder = copy();
    const mine = sandbox();
    const schema = readFileSync(join(root, "schema/2024-11-05/schema.ts"), "utf8");
    put(mine, { "schema.ts": `${schema}\nexport interface Mine {\n  mine: string;\n}\n` });
    const { code } = await cli("generate", "--schema", join(mine, "schema.ts"), "--out", folder);
    expect(code).toBe(0);
    expect(differing(complete.tree, treeOf(folder))).toEqual(
      [
        ...["model.json", "schema.json", "types.ts", "validate.ts"].map((file) => `2024-11-05/${file}`),
        ...ids.flatMap((id) => [`${id}/issues.ts`, `${id}/standard-schema.ts`]),
        "manifest.json",
        "shapes.ts",
      ].sort(),
    );
    expect(treeOf(folder)["2024-11-05/validate.ts"]).toContain("export function isMine(");
  });

  test.each([
    ["is missing", undefined, "output-incomplete"],
    ["is truncated", "{", "output-edited"],
    ["was written by somebody else", "{}", "output-edited"],
  ])("refuses a folder where the model of a kept revision %s", async (_, text, id) => {
    const folder = copy();
    const path = join(folder, "2026-07-28/model.json");
    if (text === undefined) rmSync(path);
    else writeFileSync(path, text);
    const before = treeOf(folder);
    const { code, err } = await cli("generate", "2024-11-05", "--only", "profile", "--out", folder);
    expect({ code, id: /error\[(.*?)\]/.exec(err)?.[1] }).toEqual({ code: 1, id });
    expect(differing(before, treeOf(folder))).toEqual([]);
  });
});

describe("--check", () => {
  test("is content with what was generated", async () => {
    const { code, out } = await cli("generate", "2026-07-28", "--check", "--out", complete.folder);
    expect({ code, out }).toEqual({
      code: 0,
      out: `5 revisions and 3 extensions in ${complete.folder}: 0 files would be added, 0 changed, 0 removed; ${allFiles.length} unchanged\n`,
    });
  });

  test("prints a unified diff of what differs, exits 1 and writes nothing", async () => {
    const folder = copy();
    const constants = complete.tree["2024-11-05/constants.ts"] ?? "";
    const edited = constants.replace('PROTOCOL_VERSION = "2024-11-05"', 'PROTOCOL_VERSION = "edited"');
    put(folder, { "2024-11-05/constants.ts": edited });
    rmSync(join(folder, "2024-11-05/profile.ts"));
    const before = treeOf(folder);
    const { code, out, err } = await cli("generate", "2024-11-05", "--check", "--out", folder);
    expect(code).toBe(1);
    const [head, body] = [out.slice(0, out.indexOf("@@")), out];
    expect(head).toBe("--- a/2024-11-05/constants.ts\n+++ b/2024-11-05/constants.ts\n");
    expect(body).toContain(
      '-export const PROTOCOL_VERSION = "edited";\n+export const PROTOCOL_VERSION = "2024-11-05";',
    );
    expect(body).toContain("--- /dev/null\n+++ b/2024-11-05/profile.ts\n");
    expect(body).toContain(`1 files would be added, 1 changed, 0 removed; ${allFiles.length - 2} unchanged\n`);
    expect(err).toContain(`finding[output-drift]: ${folder} is out of date`);
    expect(differing(before, treeOf(folder))).toEqual([]);
  });

  test("of a folder that is not there makes none", async () => {
    const folder = join(sandbox(), "out");
    const { code, out } = await cli("generate", "2024-11-05", "--only", "profile", "--check", "--out", folder);
    expect(code).toBe(1);
    expect(out).toContain("+++ b/2024-11-05/profile.ts");
    expect(existsSync(folder)).toBe(false);
  });

  test("twice is the same as once", async () => {
    const folder = join(sandbox(), "out");
    await cli("generate", "2024-11-05", "--only", "profile", "--check", "--check", "--out", folder);
    expect(existsSync(folder)).toBe(false);
  });
});

test("--dry-run prints the same diff, exits 0 and writes nothing", async () => {
  const folder = copy();
  rmSync(join(folder, "2024-11-05/profile.ts"));
  const before = treeOf(folder);
  const dry = await cli("generate", "2024-11-05", "--dry-run", "--out", folder);
  const check = await cli("generate", "2024-11-05", "--check", "--out", folder);
  expect({ code: dry.code, out: dry.out }).toEqual({ code: 0, out: check.out });
  expect(dry.out).toContain("+++ b/2024-11-05/profile.ts");
  expect(differing(before, treeOf(folder))).toEqual([]);
});

describe("--only", () => {
  const table: readonly (readonly [chosen: string, files: readonly string[], modules: readonly string[]])[] = [
    ["types", ["types.ts"], ["types"]],
    ["validate", ["types.ts", "validate.ts"], ["types", "validate"]],
    ["profile", ["profile.ts"], ["profile"]],
    ["constants", ["constants.ts"], ["constants"]],
    ["model", ["model.json"], []],
    ["schema", ["schema.json"], []],
    ["corpus", ["corpus.json"], []],
    ["methods", ["methods.ts", "profile.ts", "types.ts", "validate.ts"], ["types", "validate", "methods", "profile"]],
    [
      "client",
      ["client.ts", "methods.ts", "profile.ts", "types.ts", "validate.ts"],
      ["types", "validate", "methods", "profile"],
    ],
    [
      "server",
      ["methods.ts", "profile.ts", "server.ts", "types.ts", "validate.ts"],
      ["types", "validate", "methods", "profile"],
    ],
    ["issues", ["issues.ts", "types.ts"], ["types"]],
    [
      "standard",
      ["issues.ts", "methods.ts", "profile.ts", "standard-schema.ts", "types.ts", "validate.ts"],
      ["types", "validate", "methods", "profile"],
    ],
    ["types constants", ["constants.ts", "types.ts"], ["types", "constants"]],
  ];
  const folder = sandbox();

  test.each(table)("%s: what it imports, and an index of that", async (chosen, files, modules) => {
    const out = join(folder, chosen.replace(" ", "-"));
    const { code } = await cli("generate", "2024-11-05", "--out", out, "--only", ...chosen.split(" "));
    expect(code).toBe(0);
    const index = modules.length > 0 ? ["index.ts"] : [];
    expect(readdirSync(join(out, "2024-11-05")).sort()).toEqual([...files, ...index].sort());
    const exported = index.length > 0 ? readFileSync(join(out, "2024-11-05/index.ts"), "utf8") : "";
    expect([...exported.matchAll(/ from "\.\/(\w+)\.js";/g)].map(([, name]) => name)).toEqual(modules);
  });

  test("the lists of sides name the revisions whose tables there are", async () => {
    const listed = async (...only: string[]) => {
      const out = join(sandbox(), "out");
      await cli("generate", "2024-11-05", "--out", out, "--only", "model");
      await cli("generate", "2025-03-26", "--out", out, "--only", ...only);
      const { "client-sides.ts": client, "server-sides.ts": server } = treeOf(out);
      return [client, server].map((text) => text?.match(/\d{4}-\d{2}-\d{2}/g));
    };
    expect(await listed("constants")).toEqual([undefined, undefined]);
    expect(await listed("methods")).toEqual([["2025-03-26"], ["2025-03-26"]]);
  });

  test("all of these compile", { timeout: 120_000 }, async () => {
    expect(await compile(folder)).toBe("");
  });

  test("removes the other files of the revision and of no other", async () => {
    const out = copy();
    await cli("generate", "2024-11-05", "--out", out, "--only", "types", "model");
    const gone = differing(complete.tree, treeOf(out)).filter((path) => !existsSync(join(out, path)));
    expect(gone).toEqual(
      revisionFiles
        .filter((file) => !["types.ts", "model.json", "index.ts"].includes(file))
        .map((file) => `2024-11-05/${file}`),
    );
  });
});

describe("--json", () => {
  test("prints the result and nothing else", async () => {
    const folder = copy();
    rmSync(join(folder, "2024-11-05/profile.ts"));
    const { code, out, err } = await cli("generate", "2024-11-05", "--json", "--check", "--out", folder);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(JSON.parse(out)).toEqual({
      out: expect.stringContaining("out") as string,
      extensions: ["apps", "skills", "tasks"],
      revisions: ids,
      added: ["2024-11-05/profile.ts"],
      changed: [],
      removed: [],
      unchanged: allFiles.length - 1,
      findings: [
        {
          id: "output-drift",
          severity: "finding",
          message: `${folder} is out of date`,
          hint: "Run generate without --check.",
        },
      ],
    });
  });

  test("has the findings of a schema with their places", async () => {
    const folder = sandbox();
    const schema = join(folder, "schema.ts");
    const text = readFileSync(join(root, "schema/2024-11-05/schema.ts"), "utf8");
    const lines = text.split("\n").length;
    put(folder, { "schema.ts": `${text}export const NEW_ERROR = -32099;\n` });
    const args = ["--schema", schema, "--out", join(folder, "out"), "--only", "constants", "--json"];
    const { code, out } = await cli("generate", ...args);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      findings: [{ id: "error-code-unstated", severity: "finding", span: { file: schema, line: lines, column: 14 } }],
    });
  });
});

describe("exit codes", () => {
  test("1 for findings, beside complete output", async () => {
    const folder = sandbox();
    const schema = readFileSync(join(root, "schema/2024-11-05/schema.ts"), "utf8");
    put(folder, { "schema.ts": `${schema}export const NEW_ERROR = -32099;\n` });
    const again = async () => cli("generate", "--schema", join(folder, "schema.ts"), "--out", join(folder, "out"));
    const { code, err } = await again();
    expect(code).toBe(1);
    expect(err).toContain(
      ": finding[error-code-unstated]: no overlay states the meaning of error -32099 (NEW_ERROR)\n  Add it to the overlay under errors.\n",
    );
    expect(readdirSync(join(folder, "out/2024-11-05")).sort()).toEqual(revisionFiles);
    expect(await again(), "nothing changed, and still to be decided").toMatchObject({ code: 1 });
  });

  test("3 for an internal error, with its stack", async () => {
    const broken = {
      write() {
        throw new RangeError("the terminal is on fire");
      },
    };
    let err = "";
    const { run } = await import("../../generator/cli/run.js");
    const code = await run(["revisions"], broken, { write: (text) => (err += text) });
    expect(code).toBe(3);
    expect(err).toMatch(/^internal error: RangeError: the terminal is on fire\n {4}at /);
    expect(err).toMatch(/This is a bug in mcpwright; please report it with the command line\.\n$/);
  });
});

describe("progress", () => {
  const args = (...only: string[]) => ["generate", ...only, "--only", "profile", "--dry-run", "--out"] as const;
  const phases = ["read", "build", "emit", "format"].map((phase) => `  ${phase} \\d+ ms`).join("");

  test("is for terminals alone", async () => {
    expect(await cli(...args("2024-11-05", "2025-03-26"), join(sandbox(), "out"))).toMatchObject({ code: 0, err: "" });
  });

  test("rewrites the line on a terminal", async () => {
    const { err } = await cliOn({ isTTY: true }, ...args("2024-11-05"), join(sandbox(), "out"));
    const [revision = "", shared = "", rest] = err.split("\n");
    const steps = revision.split("\r\u001b[K").slice(1);
    expect(steps.slice(0, 2)).toEqual([
      "2024-11-05  read …",
      expect.stringMatching(/^2024-11-05 {2}read \d+ ms {2}build …$/),
    ]);
    expect(steps.at(-1)).toMatch(new RegExp(`^2024-11-05${phases}$`));
    expect(shared.split("\r\u001b[K").at(-1)).toMatch(/^shared {2}emit \d+ ms {2}format \d+ ms {2}write \d+ ms$/);
    expect(rest).toBe("");
  });

  test.each([
    [true, "\r\u001b[K2024-11-05  read …\n"],
    [false, ""],
  ])("ends before an error is printed (terminal: %s)", async (isTTY, before) => {
    const folder = sandbox();
    put(folder, { "2024-11-05/schema.json": "{" });
    const schema = join(folder, "2024-11-05/schema.json");
    const { err } = await cliOn({ isTTY }, "generate", "--schema", schema, "--out", join(folder, "out"));
    expect(err.startsWith(`${before}${schema}:1:2: error[json-malformed]: `)).toBe(true);
  });

  test("is not part of --json", async () => {
    const { err } = await cliOn({ isTTY: true }, ...args("2024-11-05"), join(sandbox(), "out"), "--json");
    expect(err).toBe("");
  });
});
