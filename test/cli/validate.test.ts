import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ValidationReport } from "../../generator/commands/validate/validation-report.js";
import { childCli, cli, root } from "./command-line.js";

const opening = [
  '{"at":0,"from":"client","message":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}}',
  '{"at":1,"from":"server","message":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}}',
  '{"at":2,"from":"client","message":{"jsonrpc":"2.0","method":"notifications/initialized"}}',
].join("\n");
const wrong = '{"at":3,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}';
const link = "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#capabilities";

let folder: string;
const good = (): string => join(folder, "good.jsonl");
const bad = (): string => join(folder, "bad.jsonl");
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcpwright-validate-"));
  writeFileSync(good(), `${opening}\n`);
  writeFileSync(bad(), `${opening}\n${wrong}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a conversation with nothing wrong", async () => {
  const outcome = await cli("validate", good());
  expect(outcome).toEqual({ code: 0, out: "3 messages in 2025-11-25: 0 errors, 0 warnings, 0 notes\n", err: "" });
});

test("what is wrong, where, and what the specification says of it", async () => {
  const { code, out, err } = await cli("validate", bad());
  expect(code).toBe(1);
  expect(err).toBe("");
  expect(out).toBe(
    [
      `${bad()}:4: error[capability]: $.method: tools/list needs tools, which the server has not declared`,
      `  ${link}`,
      `${bad()}:4: note[unanswered]: $: tools/list has no answer until the end`,
      "4 messages in 2025-11-25: 1 error, 0 warnings, 1 note",
      "",
    ].join("\n"),
  );
});

test("as JSON", async () => {
  const { code, out } = await cli("validate", bad(), "--json", "--revision", "2025-11-25");
  expect(code).toBe(1);
  const report = JSON.parse(out) as ValidationReport;
  expect(report).toMatchObject({ revision: "2025-11-25", messages: 4, counts: { error: 1, warning: 0, note: 1 } });
  expect(report.findings[0]).toEqual({
    rule: "capability",
    severity: "error",
    line: 4,
    path: "$.method",
    message: "tools/list needs tools, which the server has not declared",
    link,
  });
});

test("with an extension, whose revision is checked", async () => {
  const { code, out, err } = await cli("validate", good(), "--extension", "io.modelcontextprotocol/tasks");
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(out).toMatch(/\d messages in 2026-07-28 with io\.modelcontextprotocol\/tasks: \d errors?,/);
  expect(out).toContain('2026-07-28 does not know the request "initialize"');
});

describe("wrong usage and invalid input", () => {
  test.each<[string, () => readonly string[], number, string]>([
    ["no file", () => [], 2, "An argument is missing: mcpwright validate <file>"],
    ["an empty name", () => [""], 2, "<file> must not be empty."],
    ["a missing file", () => [join(folder, "none.jsonl")], 1, "error[input-not-found]"],
    ["a folder", () => [folder], 1, "error[input-not-found]"],
    ["an unknown revision", () => [good(), "--revision", "2020-01-01"], 2, "error[revision-unknown]"],
    ["two revisions", () => [good(), "--revision", "a", "--revision", "b"], 2, "--revision must not be repeated."],
    ["an unknown extension", () => [good(), "--extension", "com.example/other"], 1, "error[extension-unknown]"],
    ["an empty extension", () => [good(), "--extension", ""], 2, "--extension must not be empty."],
    [
      "a generated folder with an extension",
      () => [good(), "--extension", "a/b", "--schema", folder],
      2,
      "With --extension, --schema must be a schema.ts or schema.json.",
    ],
    ["an unknown option", () => [good(), "--form"], 2, "Unknown option: --form."],
  ])("%s", async (_, args, code, message) => {
    const outcome = await cli("validate", ...args());
    expect(outcome.err).toContain(message);
    expect(outcome).toMatchObject({ code, out: "" });
  });

  test("a conversation without a revision", async () => {
    const path = join(folder, "ping.jsonl");
    writeFileSync(path, '{"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"ping"}}\n');
    const { code, err } = await cli("validate", path);
    expect(err).toContain("error[conversation-revision-untold]");
    expect(err).toContain("--revision");
    expect(code).toBe(2);
  });
});

describe.skipIf(process.platform === "win32")("as a process", () => {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const words = [process.execPath, "--import", tsx, join(root, "generator/cli.ts"), "validate"];
  const program = words.map((word) => JSON.stringify(word)).join(" ");

  test("standard input", async () => {
    const script = `cat ${JSON.stringify(bad())} | ${program} -`;
    const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
    let out = "";
    for await (const chunk of child.stdout) out += String(chunk);
    expect(out).toContain("stdin:4: error[capability]");
  });

  test("a reader that leaves early", async () => {
    const path = join(folder, "many.jsonl");
    writeFileSync(path, `${opening}\n${"x\n".repeat(5_000)}`);
    const script = `${program} ${JSON.stringify(path)} | head -n 1`;
    const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "pipe"] });
    let all = "";
    for await (const chunk of child.stdout) all += String(chunk);
    for await (const chunk of child.stderr) all += String(chunk);
    expect(all).toBe(
      `${path}:4: error[line-malformed]: $: the line is not valid JSON: ${all.split("valid JSON: ")[1] ?? ""}`,
    );
  });

  test("the exit code", async () => {
    expect((await childCli(["validate", good()])).code).toBe(0);
    expect((await childCli(["validate", bad()])).code).toBe(1);
  });
});
