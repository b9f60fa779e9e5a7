import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { compile } from "../../../../generator/commands/compile/compile.js";
import { realDisk } from "../../../../generator/shared/files/disk.js";
import { withChecksum, writeWithChecksum } from "../../../../generator/shared/files/file-with-checksum.js";
import { memberTags } from "../../../../generator/commands/compile/constraint-tags.js";
import { DiagnosticError } from "../../../../generator/shared/diagnostics/diagnostic.js";
import { root, strictest, typecheck } from "../../../support/typecheck.js";
import { line, problems } from "../../shared/diagnostics/problems.js";
import { put, sandbox, treeOf } from "../../shared/files/sandbox.js";

const fixtures = relative(process.cwd(), join(import.meta.dirname, "fixtures"));
const fixture = (name: string): string => join(fixtures, name);

async function problemsOf(run: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await run.then(
    () => expect.fail("it went well"),
    (reason: unknown) => reason,
  );
  if (error instanceof DiagnosticError) return error.diagnostics.map(line);
  throw error;
}

describe("what is compiled", () => {
  test.each(["weather", "hostile"])("%s is what the golden file says", async (name) => {
    const { diff, changed } = await compile({ file: fixture(`${name}.ts`), check: true });
    expect({ diff, changed }).toEqual({ diff: "", changed: false });
  });

  test("the golden files compile at their strictest", () => {
    const files = ["weather.mcp.ts", "hostile.mcp.ts"].map((name) => join(import.meta.dirname, "fixtures", name));
    // The tools that they are made of have an enumeration.
    const options = { ...strictest, skipLibCheck: true, noImplicitReturns: true, erasableSyntaxOnly: false };
    expect(typecheck(files, options).errors).toEqual([]);
  });

  test("no library comes with it, and it is small", async () => {
    const contents = 'export * from "./fixtures/weather.mcp.js";';
    const stdin = { contents, resolveDir: import.meta.dirname };
    const { outputFiles, metafile } = await build({
      stdin,
      bundle: true,
      minify: true,
      format: "esm",
      write: false,
      metafile: true,
    });
    const inputs = Object.keys(metafile.inputs).map((path) => basename(path));
    expect(inputs.sort()).toEqual(["<stdin>", "weather.mcp.ts", "weather.ts"]);
    // With the tools themselves; zod alone is twenty times as large.
    expect(gzipSync(outputFiles[0]?.contents ?? "").length).toBeLessThan(4_500);
  });

  test("the imports are those of the project", async () => {
    const folder = sandbox();
    const tool = "/** @tool */\nexport function one(): string {\n  return '';\n}\n";
    put(folder, {
      "tsconfig.json": JSON.stringify({ compilerOptions: { allowImportingTsExtensions: true, noEmit: true } }),
      "src/one.ts": tool,
      "src/two.mts": tool,
    });
    await compile({ file: join(folder, "src/one.ts"), out: join(folder, "made.ts") });
    await compile({ file: join(folder, "src/two.mts") });
    const made = treeOf(folder);
    expect(made["made.ts"]).toContain("// mcpwright compile src/one.ts --out made.ts\n");
    expect(made["made.ts"]).toContain('import * as tools from "./src/one.ts";');
    expect(made["src/two.mcp.mts"]).toContain('import * as tools from "./two.mts";');
  });
});

test.each<readonly [what: string, member: string, schema: string]>([
  ["behind a brace", "{ /** Days @minimum 1 */ n: number }", '{ type: "number", description: "Days", minimum: 1 }'],
  ["behind a member", "{ a?: 1; /** @default 2 */ n: number }", '{ type: "number", default: 2 }'],
  ["not of the member before", "{ a?: 1; /** @default 1 */\n n: number }", '{ type: "number" }'],
  ["one behind the other", "{\n/** @integer @minimum 1 */\nn: number }", '{ type: "integer", minimum: 1 }'],
  [
    "unknown ones are text",
    "{\n/** Ask @ada or a@b.c */\nn: number }",
    '{ type: "number", description: "Ask @ada or a@b.c" }',
  ],
])("doc comments in one line: %s", async (_what, member, schema) => {
  const folder = sandbox();
  const file = join(folder, "tools.ts");
  put(folder, {
    "tools.ts": `/** Counts. @tool count-it @readOnly */\nexport const one = (args: ${member}): string => "";\n`,
  });
  const { out, tools } = await compile({ file });
  expect(tools).toEqual(["count-it"]);
  const text = readFileSync(out, "utf8")
    .replace(/,\s+\}/g, " }")
    .replace(/\{\s+/g, "{ ")
    .replace(/,\s+/g, ", ");
  expect(text).toContain('description: "Counts."');
  expect(text).toContain("readOnlyHint: true");
  expect(text).toContain(`n: ${schema}`);
});

test("a function in parentheses, or one that satisfies a type, is a function", async () => {
  const file = join(sandbox(), "tools.ts");
  const held = "((args: { a: string }): string => args.a) satisfies (args: { a: string }) => string";
  writeFileSync(
    file,
    `/** @tool */\nexport const one = ${held};\n/** @tool */\nexport const two = (function () { return "" });\n`,
  );
  expect((await compile({ file })).tools).toEqual(["one", "two"]);
  expect(readFileSync(file.replace(".ts", ".mcp.ts"), "utf8")).toContain('properties: { a: { type: "string" } }');
});

test("tags of tools within a sentence are text", async () => {
  const folder = sandbox();
  const file = join(folder, "tools.ts");
  put(folder, {
    "tools.ts": [
      "/** Wipes the disk: never mark it as a @tool */",
      'export const wipe = (): string => "";',
      "/**",
      " * Counts, and is not @idempotent",
      " * at all. @readOnly @title Count @tool",
      " */",
      'export const count = (): string => "";',
    ].join("\n"),
  });
  const { out, tools } = await compile({ file });
  expect(tools).toEqual(["count"]);
  const text = readFileSync(out, "utf8");
  expect(text).toContain('title: "Count"');
  expect(text).toContain("readOnlyHint: true");
  expect(text).not.toContain("idempotentHint");
});

describe("what cannot be compiled", () => {
  test("everything is reported at once, with its place", async () => {
    const file = fixture("unsupported.ts");
    const all = await problemsOf(compile({ file }));
    const text = all.map((one) => `${one.replace(`${file}:`, "")}\n`).join("");
    await expect(text).toMatchFileSnapshot("fixtures/unsupported.txt");
  });

  test.each<readonly [what: string, text: string, problem: string]>([
    ["no tools", "export const a = 1;", "compile-no-tools: FILE exports no tools"],
    ["an empty file", "", "compile-no-tools: FILE exports no tools"],
    ["broken syntax", "export function {", "FILE:1:17 syntax-error: syntax error: Identifier expected."],
    [
      "code that nests too deeply",
      `export type A = ${"{ a: ".repeat(20_000)}1${"}".repeat(20_000)};`,
      "FILE:1:1 syntax-error: syntax error: the code nests too deeply to be read",
    ],
    [
      "a name that is no identifier",
      '/** @tool */\nconst a = (): string => "";\nexport { a as "b c" };',
      "FILE:2:7 compile-tool: a cannot become a tool: it is not exported by a name; write `export` before it",
    ],
    [
      "a result of two minds",
      "interface ToolResult { content?: [] }\n/** @tool */\nexport const a = (): ToolResult | { a: 1 } => ({});",
      "FILE:3:18 compile-tool: ToolResult | { a: 1; } cannot become a tool: it is sometimes a result and sometimes what goes into one; return one of the two",
    ],
    [
      "types that collide",
      "/** @tool */\nexport const ab = (args: { x: 1 }): string => '';\n/** @tool */\nexport const Ab = (args: { x: 1 }): string => '';",
      "name-collision: the derived name AbInput is already declared",
    ],
    [
      "a problem in another file",
      "import type { Other } from './other.js';\n/** @tool */\nexport const a = (args: { x: Other }): string => '';",
      "OTHER:2:9 compile-unsupported-type: bigint has no JSON Schema",
    ],
  ])("%s", async (_what, text, problem) => {
    const folder = sandbox();
    put(folder, { "tools.ts": text, "other.ts": "export interface Other {\n  long: bigint;\n}\n" });
    const before = treeOf(folder);
    const [first] = await problemsOf(compile({ file: join(folder, "tools.ts") }));
    const other = relative(process.cwd(), join(folder, "other.ts"));
    expect(first?.replaceAll(join(folder, "tools.ts"), "FILE").replaceAll(other, "OTHER")).toBe(problem);
    expect(treeOf(folder)).toEqual(before);
  });

  test.each<readonly [file: string, out: string | undefined, problem: string]>([
    ["missing.ts", undefined, "input-not-found: cannot read FOLDER/missing.ts: there is no such file"],
    ["tools.js", undefined, "compile-not-typescript: FOLDER/tools.js is not a TypeScript source file"],
    ["tools.mcp.ts", undefined, "compile-not-typescript: FOLDER/tools.mcp.ts is not a TypeScript source file"],
    ["tools.ts", "tools.ts", "compile-out-refused: FOLDER/tools.ts cannot be the output: it is the source file"],
    [
      "tools.ts",
      "tools.mcp.js",
      "compile-out-refused: FOLDER/tools.mcp.js cannot be the output: its name does not end in .ts or .mts",
    ],
    ["tools.ts", "mine.ts", "file-foreign: FOLDER/mine.ts exists and was not generated by mcpwright compile"],
    [
      "tools.ts",
      "folder.ts",
      "file-not-readable: cannot read FOLDER/folder.ts: EISDIR: illegal operation on a directory",
    ],
    [
      "tools.ts",
      "mine.ts/where.ts",
      "file-not-readable: cannot read FOLDER/mine.ts/where.ts: ENOTDIR: not a directory",
    ],
  ])("%s to %s", async (file, out, problem) => {
    const folder = sandbox();
    put(folder, { "tools.ts": "/** @tool */\nexport const a = (): string => '';\n", "mine.ts": "export {};\n" });
    mkdirSync(join(folder, "folder.ts"));
    const before = treeOf(folder);
    const run = compile({ file: join(folder, file), ...(out !== undefined && { out: join(folder, out) }) });
    const all = await problemsOf(run);
    expect(all.map((one) => one.replaceAll(folder, "FOLDER"))).toEqual([problem]);
    expect(treeOf(folder)).toEqual(before);
  });
});

test("the document lists every tag", () => {
  const document = readFileSync(join(root, "docs/cli/compile.md"), "utf8");
  const [, table = ""] = document.split("## Tags of members and types");
  expect(memberTags.filter((tag) => !new RegExp(`\`@${tag}[\` ]`).test(table))).toEqual([]);
});

test("keeps output that is up to date, and prints the diff of output that is not", async () => {
  const folder = sandbox();
  const file = join(folder, "tools.ts");
  const tool = (name: string): string => `/** @tool */\nexport const ${name} = (): string => "";\n`;
  put(folder, { "tools.ts": tool("one") });
  expect(await compile({ file })).toMatchObject({ changed: true, tools: ["one"] });
  expect(await compile({ file })).toMatchObject({ changed: false });
  writeFileSync(file, tool("two"));
  const before = treeOf(folder);
  const { changed, diff } = await compile({ file, check: true });
  expect(changed).toBe(true);
  expect(diff).toContain('-    one: server.registerTool("one", {}');
  expect(diff).toContain('+    two: server.registerTool("two", {}');
  expect(treeOf(folder)).toEqual(before);
});

test("a disk that fails leaves what was there", () => {
  const folder = sandbox();
  const path = join(folder, "tools.mcp.ts");
  const was = withChecksum("compile", "before\n");
  put(folder, { "tools.mcp.ts": was });
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
  const refuse = (): never => {
    throw full;
  };
  const found = ["write", "rename"].map((call) =>
    problems(() =>
      writeWithChecksum("compile", path, withChecksum("compile", "after\n"), { ...realDisk, [call]: refuse }),
    ),
  );
  const problem = [`output-not-writable: cannot write ${path}: ENOSPC: no space left on device`];
  expect(found).toEqual([problem, problem]);
  expect(treeOf(folder)).toEqual({ "tools.mcp.ts": was });
});

test("a file that was changed by hand is not overwritten", async () => {
  const folder = sandbox();
  const file = join(folder, "tools.ts");
  put(folder, { "tools.ts": "/** @tool */\nexport const one = (): string => '';\n" });
  const { out } = await compile({ file });
  writeFileSync(out, `${readFileSync(out, "utf8")}// mine\n`);
  const before = treeOf(folder);
  expect(await problemsOf(compile({ file }))).toEqual([
    `output-edited: ${out} was edited by hand after it was generated`,
  ]);
  await expect(compile({ file })).rejects.toThrow("Change the file that it is generated from.");
  expect(treeOf(folder)).toEqual(before);
});
