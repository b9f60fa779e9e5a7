/**
 * Walks docs/guide/extensions.md and extension-settings.md: the commands, files and programs of the pages, in their order, in an empty folder
 * with the built packages.
 */
import { exec } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { root } from "../cli/command-line.js";
import type { ExtensionModel } from "../../generator/shared/model/extension.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { compile } from "./compile.js";
import { GuidePage, runMcpwright } from "./guide-page.js";

const page = new GuidePage("guide/extensions.md");
const settings = new GuidePage("guide/extension-settings.md");
const folder = sandbox();
const [init, install, installTools, generate = "", start = "", check = "", diff = "", ...others] = page.commands;
const written = ["rank/schema.ts", "server.ts", "client.ts"];

/** Runs a command of the page in its folder. */
async function shell(command: string): Promise<string> {
  return (await promisify(exec)(command, { cwd: folder })).stdout;
}

function addToSchema(): void {
  const { "rank/schema.ts": first = "" } = page.file("rank/schema.ts");
  put(folder, { "rank/schema.ts": `${first}\n${settings.block("ts", "export type ServerNotification")}` });
}

beforeAll(() => {
  mkdirSync(join(folder, "node_modules/@mcpwright"), { recursive: true });
  for (const name of [".bin", "@mcpwright/protocol", "@mcpwright/runtime", "@types", "typescript"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
});

test("the commands install, generate, compile and check", () => {
  expect([init, install, installTools, others]).toEqual([
    "npm init -y && npm pkg set type=module",
    "npm install @mcpwright/runtime",
    "npm install --save-dev mcpwright typescript @types/node",
    [],
  ]);
});

describe("from an empty folder", () => {
  test("one command and fewer than 30 lines", () => {
    const code = written.map((path) => page.file(path)[path] ?? "").join("");
    const lines = code.split("\n").filter((line) => line.trim() !== "" && !/^\/\/ [\w/]+\.ts$/.test(line));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.length).toBeLessThan(30);
    expect(code).not.toMatch(/\bas (?!const)|@ts-|: any\b|\w<\w+>\(/);
  });

  test("both sides call and answer, with types and checks", { timeout: 180_000 }, async () => {
    await shell(init ?? "");
    put(
      folder,
      Object.assign({}, ...written.map((path) => page.file(path)), page.file("tsconfig.json")) as Record<
        string,
        string
      >,
    );
    expect(await runMcpwright(generate, folder)).toMatchObject({ code: 0, err: "" });
    expect(page.block("json", "compilerOptions")).toMatch(/"strict": true,\n\s+"exactOptionalPropertyTypes": true/);
    expect(await shell(start)).toBe(page.block("text", "[ 'tea' ]"));
  });

  test("programs that the page calls errors do not compile", { timeout: 180_000 }, async () => {
    const { "client.ts": client = "", "server.ts": server = "" } = {
      ...page.file("client.ts"),
      ...page.file("server.ts"),
    };
    const wrong = {
      "method.ts": client.replace('"tools/rank"', '"tools/rnk"'),
      "params.ts": client.replace("query:", "qery:"),
      "result.ts": client.replace("{ name }", "{ nam }"),
      "handled.ts": server.replace("tools: tools", "tool: tools"),
    };
    const copy = sandbox();
    cpSync(join(folder, "generated"), join(copy, "generated"), { recursive: true });
    symlinkSync(join(folder, "node_modules"), join(copy, "node_modules"));
    put(copy, { "package.json": JSON.stringify({ type: "module" }), ...wrong });
    const printed = await compile(copy, "nodenext", ["node"]);
    expect(Object.keys(wrong).filter((name) => !printed.includes(`${name}(`))).toEqual([]);
  });
});

test("a schema in JSON Schema gives the same messages", { timeout: 180_000 }, async () => {
  put(folder, { "json/schema.json": page.block("json", '"EXTENSION_ID"') });
  const command = generate.replace("rank/schema.ts", "json/schema.json").replace("--out generated", "--out fromJson");
  expect(await runMcpwright(command, folder)).toMatchObject({ code: 0, err: "" });
  const [one, other] = ["generated", "fromJson"].map((name) => {
    const files = treeOf(join(folder, name));
    const { requests } = JSON.parse(files["extensions/rank/model.json"] ?? "") as ExtensionModel;
    return { requests, types: files["extensions/rank/types.ts"]?.split("\n").sort() };
  });
  expect(other).toEqual(one);
});

test("settings, notifications and results need an overlay of a few lines", { timeout: 180_000 }, async () => {
  const published = treeOf(join(folder, "rank"))["schema.ts"] ?? "";
  addToSchema();
  put(folder, {
    "published/schema.ts": published,
    "rank/overlay.json": settings.block("json", '"settings"'),
    ...settings.file("shop.ts"),
    ...settings.file("guest.ts"),
  });
  const [again = "", startGuest = "", ...more] = settings.commands;
  expect({ again, more }).toEqual({ again: generate, more: [] });
  expect(await runMcpwright(check, folder)).toMatchObject({ code: 1 });
  expect(await runMcpwright(again, folder)).toMatchObject({ code: 0, err: "" });
  expect(await shell(startGuest)).toBe(settings.block("text", "place 2"));
  expect(await runMcpwright(check, folder)).toMatchObject({ code: 0 });
  const compared = await runMcpwright(diff, folder);
  expect(compared.out).toContain("notifications/rank");
});
