import { execFile } from "node:child_process";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { migrate, type MigrateResult } from "../../generator/commands/migrate/migrate.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { root } from "./command-line.js";

const programs = [
  ...[
    "notes-server.ts",
    "notes-client.ts",
    "files-server.ts",
    "files-client.ts",
    "low-level-server.ts",
    "low-level-client.js",
  ],
  ...["hono-server.ts", "sessions-server.ts", "sessions-client.ts"],
];

let folder: string;
let result: MigrateResult;

beforeAll(async () => {
  folder = temporaryFolder("migrate");
  cpSync(join(import.meta.dirname, "fixtures/migrate"), folder, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  result = await migrate({ folder, level: "native", force: true });
});

test("programs of both lines need no decision", () => {
  expect(result).toMatchObject({ changed: [...programs, "package.json"].sort(), todos: [], findings: [] });
});

test("the package depends on the runtime, and on zod 4", () => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { dependencies: object };
  expect(Object.keys(dependencies)).toEqual(["@mcpwright/runtime", "express", "hono", "zod"]);
  expect(dependencies).toMatchObject({ zod: expect.stringMatching(/^\^4\./) as string });
});

test("they compile under strict settings", () => {
  const program = ts.createProgram(
    programs.map((name) => join(folder, name)),
    {
      allowJs: true,
      checkJs: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noImplicitReturns: true,
      isolatedModules: true,
      esModuleInterop: true,
      skipLibCheck: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    },
  );
  const problems = ts.getPreEmitDiagnostics(program);
  expect(
    problems.map(({ file, start = 0, messageText }) => {
      const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
      return `${file?.fileName.slice(folder.length + 1)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    }),
  ).toEqual([]);
});

test("a second run changes nothing", async () => {
  expect(await migrate({ folder, level: "native", force: true })).toMatchObject({
    changed: [],
    todos: [],
    findings: [],
  });
});

async function run(program: string, ...args: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", program, ...args], {
    cwd: folder,
  });
  return JSON.parse(stdout);
}

describe("they run", () => {
  test.each([
    ["stateless", []],
    ["handshake", ["--old"]],
  ])("2.x over stdio, %s", async (era, args) => {
    expect(await run("notes-client.ts", ...args)).toEqual({
      era,
      count: 2,
      progress: [1],
      renamed: "tea -> 16",
      values: ["milk"],
      read: ["Drink tea"],
      missing: -32602,
    });
  });

  test("1.x over stdio", async () => {
    expect(await run("files-client.ts")).toEqual({
      tools: [
        ["list", false],
        ["read", true],
      ],
      listed: [{ type: "text", text: "a.txt" }],
      read: [{ type: "text", text: "first" }],
      prompt: { type: "text", text: "Find b" },
      resource: 1,
      missing: -32602,
    });
  });

  test("a low-level server of 1.x, and a client in JavaScript", async () => {
    expect(await run("low-level-client.js")).toEqual({
      tools: ["echo"],
      content: [{ type: "text", text: '{"text":"hi"}' }],
    });
  });

  test("1.x with a transport for each session, over HTTP", async () => {
    expect(await run("sessions-client.ts")).toEqual({ content: [{ type: "text", text: "42" }] });
  });
});
