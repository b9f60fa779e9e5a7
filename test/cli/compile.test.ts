import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { cli, exitCode, startCli } from "./command-line.js";

const tool = (name: string, input = "{ text: string }"): string =>
  `/** @tool */\nexport const ${name} = (args: ${input}): string => JSON.stringify(args);\n`;

describe("compile", () => {
  test("writes beside the file, once", async () => {
    const folder = sandbox();
    const file = join(folder, "tools.ts");
    put(folder, { "tools.ts": tool("echo") });
    const out = join(folder, "tools.mcp.ts");
    expect(await cli("compile", file)).toEqual({ code: 0, out: `${out} was written: 1 tool (echo)\n`, err: "" });
    expect(await cli("compile", file)).toEqual({ code: 0, out: `${out} is up to date: 1 tool (echo)\n`, err: "" });
    expect(await cli("compile", file, "--check")).toMatchObject({ code: 0 });
  });

  test("--check prints the differences and writes nothing", async () => {
    const folder = sandbox();
    const file = join(folder, "tools.ts");
    put(folder, { "tools.ts": tool("echo") });
    const { code, out, err } = await cli("compile", file, "--check");
    expect(code).toBe(1);
    expect(out).toContain("--- /dev/null\n");
    expect(out).toContain("\n+export function registerTools(");
    expect(err).toContain("finding[compile-drift]");
    expect(Object.keys(treeOf(folder))).toEqual(["tools.ts"]);
  });

  test("--json", async () => {
    const folder = sandbox();
    put(folder, { "tools.ts": tool("echo") });
    const { code, out } = await cli("compile", join(folder, "tools.ts"), "--json", "--out", join(folder, "x.ts"));
    expect({ code, printed: JSON.parse(out) as unknown }).toEqual({
      code: 0,
      printed: { out: join(folder, "x.ts"), tools: ["echo"], changed: true, findings: [] },
    });
  });

  test.each<readonly [verb: string, ...args: string[]]>([
    ["compile", "FOLDER/tools.ts", "--json"],
    ["generate", "--schema", "FOLDER/tools.ts", "--revision", "r", "--out", "FOLDER/out", "--json"],
    ["diff", "2025-11-25", "FOLDER/schema.ts", "--format", "json"],
    ["compare-schema", "FOLDER/schema.ts", "FOLDER/schema.json", "--format=json"],
  ])("%s prints as JSON what is wrong with its input", async (...args) => {
    const folder = sandbox();
    put(folder, { "tools.ts": tool("echo", "{ when: Date }"), "schema.ts": "type A = void;", "schema.json": "{" });
    const { code, out, err } = await cli(...args.map((word) => word.replace("FOLDER", folder)));
    const { errors } = JSON.parse(out) as { errors: readonly { id: string; severity: string; hint: string }[] };
    expect({ code, errors: errors.length > 0 }).toEqual({ code: 1, errors: true });
    for (const { id, severity } of errors) expect(err).toContain(`${severity}[${id}]: `);
  });

  test.each<readonly [args: readonly string[], code: number, err: string]>([
    [[], 2, "An argument is missing: mcpwright compile <file>"],
    [["a.ts", "--check", "--watch"], 2, "Use only one of --check and --watch."],
    [["a.js"], 2, "compile-not-typescript"],
    [["nowhere.ts"], 1, "input-not-found"],
    [["a.ts", "--out", "b.ts", "--out", "c.ts"], 2, "--out must not be repeated."],
  ])("compile %j", async (args, code, err) => {
    const outcome = await cli("compile", ...args);
    expect(outcome).toMatchObject({ code, out: "" });
    expect(outcome.err).toContain(err);
  });
});

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

test("--watch follows the file and what it imports, and survives mistakes", { timeout: 120_000 }, async () => {
  const folder = sandbox();
  const [file, types] = [join(folder, "tools.ts"), join(folder, "types/input.ts")];
  put(folder, {
    "tools.ts": `import type { Input } from "./types/input.js";\n${tool("echo", "Input")}`,
    "types/input.ts": "export interface Input {\n  one: string;\n}\n",
  });
  const child = startCli(["compile", file, "--watch"]);
  children.push(child);
  if (!child.stderr) throw new Error("no stderr");
  const lines = createInterface(child.stderr);
  const printed: string[] = [];
  lines.on("line", (line) => printed.push(line));
  /** Waits for a run that ends as expected; a file that is half-written may have led to one before. */
  const run = async (expected: (errors: string) => boolean): Promise<void> => {
    for (;;) {
      while (!printed.includes("watching for changes; press Ctrl-C to stop")) await once(lines, "line");
      if (expected(printed.splice(0).join("\n"))) return;
    }
  };
  const holds = (text: string) => () => readFileSync(join(folder, "tools.mcp.ts"), "utf8").includes(text);

  await run(holds("properties: { one: "));

  writeFileSync(types, "export interface Input {\n  two: bigint;\n}\n");
  await run((errors) => errors.includes("input.ts:2:8: error[compile-unsupported-type]: bigint has no JSON Schema"));
  expect(holds("properties: { one: ")()).toBe(true);

  writeFileSync(types, "export interface Input {\n  two: string;\n}\n");
  await run(holds("properties: { two: "));

  writeFileSync(file, `import type { Input } from "./types/input.js";\n${tool("other", "Input")}`);
  await run(holds("    other: server.registerTool("));

  const ended = exitCode(child);
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});
