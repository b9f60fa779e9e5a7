/** What the documents show compiles, and the first example of the README runs. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { root } from "../cli/command-line.js";
import { put } from "../generator/write/sandbox.js";
import { compile } from "./compile.js";

const folder = mkdtempSync(join(tmpdir(), "mcpwright-documents-"));
const documents = ["runtime/README.md", "docs/servers.md", "docs/clients.md", "docs/transports.md"];

/** The TypeScript of a document, block by block. */
function examples(document: string): string[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code);
}

beforeAll(() => {
  for (const name of [
    "@mcpwright/protocol",
    "@mcpwright/runtime",
    "@types/express",
    "@types/node",
    "express",
    "fastify",
    "hono",
    "zod",
  ]) {
    mkdirSync(join(folder, "node_modules", name, ".."), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  const files = documents.map((document) => [document.replace(/\W/g, "_"), examples(document).join("\n")] as const);
  const first = examples("README.md").flatMap((code) => {
    const name = /^\/\/ (\w+)\.ts\n/.exec(code)?.[1];
    return name === undefined ? [] : [[name, code.replace("server.js", "server.ts")] as const];
  });
  expect(first.map(([name]) => name)).toEqual(["server", "client"]);
  put(folder, {
    "package.json": JSON.stringify({ private: true, type: "module" }),
    ...Object.fromEntries([...files, ...first].map(([name, code]) => [`${name}.ts`, code])),
  });
});

test("they compile", { timeout: 120_000 }, async () => {
  expect(await compile(folder, "nodenext", ["node"])).toBe("");
});

test("the README's client talks to its server", { timeout: 60_000 }, async () => {
  const tsx = import.meta.resolve("tsx");
  const env = { ...process.env, NODE_OPTIONS: `--import ${tsx}` };
  // The server is started with the client's own arguments only, so the loader goes with its path.
  const client = readFileSync(join(folder, "client.ts"), "utf8").replace('args: ["', `args: ["--import", "${tsx}", "`);
  put(folder, { "running-client.ts": client });
  const { stdout } = await promisify(execFile)(process.execPath, ["running-client.ts"], { cwd: folder, env });
  expect(stdout.split("\n")).toEqual([
    "2026-07-28",
    "Order 2 x tea?",
    "[ { type: 'text', text: '2 x tea ordered' } ]",
    "",
  ]);
});
