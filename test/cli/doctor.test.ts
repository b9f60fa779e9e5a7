import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { DoctorReport } from "../../generator/commands/doctor/doctor.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { weatherCommand } from "../generator/shared/sessions/places.js";
import { cli } from "./command-line.js";

let home: string;
beforeEach(() => {
  home = sandbox();
  for (const name of ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA", "CODEX_HOME", "CLAUDE_CONFIG_DIR"])
    vi.stubEnv(name, home);
});
afterEach(() => void vi.unstubAllEnvs());

/** A port that no other test uses, so that its finding is the same. */
const port = ["--port", "39123"];

async function report(...args: readonly string[]): Promise<DoctorReport & { readonly code: number | null }> {
  const { code, out, err } = await cli("doctor", "--json", ...port, ...args);
  expect(err).toBe("");
  return { ...(JSON.parse(out) as DoctorReport), code };
}

const outputOf = ({ findings }: DoctorReport): unknown[] => findings.filter(({ check }) => check === "server-output");

describe("a server that is named is started", { timeout: 120_000 }, () => {
  test("and is sound", async () => {
    const found = await report("--", ...weatherCommand());
    expect(outputOf(found)).toMatchObject([{ level: "ok" }]);
  });

  const respond = 'console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, result: {} }))';
  test.each([
    [
      `process.stdin.once("data", (line) => ${respond}); console.log("ready \\u001b[31m")`,
      /prints to standard output.*"ready \\u001b\[31m"$/,
    ],
    [
      `process.stdin.once("data", (line) => { ${respond}; console.log({ id: 1 }) })`,
      /prints to standard output.*"\{ id: 1 \}"$/,
    ],
    [
      `console.log("a\\nb\\n" + "c".repeat(1000)); process.stdin.once("data", (line) => ${respond})`,
      /prints to standard output.*"a" and 2 more lines$/,
    ],
    ["console.error('no key'); process.exit(3)", /exits with code 3 before it answers; its last words: "no key"$/],
    ["process.stdin.once('data', () => process.exit(0))", /exits with code 0 before it answers$/],
  ])("%s", async (program, message) => {
    const folder = sandbox();
    writeFileSync(join(folder, "server.mjs"), program);
    const found = await report(join(folder, "server.mjs"));
    expect(outputOf(found)).toMatchObject([{ level: "error", message: expect.stringMatching(message) as string }]);
    expect(found.code).toBe(1);
    expect(treeOf(folder)).toEqual({ "server.mjs": program });
  });

  test("and the exit code is 0 without an error", async () => {
    const folder = sandbox();
    writeFileSync(join(folder, "server.mjs"), `process.stdin.once("data", (line) => ${respond})`);
    const found = await report(join(folder, "server.mjs"));
    expect(found.findings.filter(({ level }) => level === "error")).toEqual([]);
    expect(found.code).toBe(0);
  });

  test("and cannot be started", async () => {
    const found = await report(sandbox(), "--", "no-such-program-1");
    expect(outputOf(found)).toMatchObject([
      { level: "error", message: expect.stringMatching(/^no-such-program-1 cannot be started: /) as string },
    ]);
  });
});

test("texts of files are escaped, and printed on one line", async () => {
  const folder = sandbox();
  const name = "\u001b]0;title\u0007\u202eevil\nerror  node: fake";
  put(home, { ".cursor/mcp.json": JSON.stringify({ mcpServers: { [name]: { command: "/no\u001b[2J\nwhere" } } }) });
  put(folder, { "package.json": JSON.stringify({ engines: { node: "<1 \u009b2J\u001b[2J" } }) });
  mkdirSync(join(folder, "empty"));
  const { code, out } = await cli("doctor", folder, ...port);
  expect(code).toBe(1);
  // eslint-disable-next-line no-control-regex -- none may be printed
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(out).toContain("\\u001b]0;title");
  for (const line of out.trimEnd().split("\n"))
    expect(line).toMatch(/^(error|warning|ok) +[a-z-]+: |^ {9}\S|^$|^\d+ errors?, /);
});

test.each([
  [["nowhere"], "nowhere does not exist."],
  [["package.json"], "package.json is neither a folder nor a .js file."],
  [["--port", "0"], "--port must be from 1 to 65535."],
  [["--port", "x"], "--port must be from 1 to 65535."],
  [["dist/cli.js", "--", "node"], "Use only one of a file and a command after --."],
])("wrong usage: %j", async (args, message) => {
  const { code, err } = await cli("doctor", ...args);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) as string });
});
