/** What the documents show compiles, and the first example of the README runs. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { compile as compileTools } from "../../generator/compile/compile.js";
import { root } from "../cli/command-line.js";
import { put } from "../generator/write/sandbox.js";
import { compile } from "./compile.js";

/** And what the clients in them print. */
const readmes = {
  "README.md": ["2026-07-28", "Order 2 x tea?", "[ { type: 'text', text: '2 x tea ordered' } ]", ""],
  "README.zh-CN.md": ["2026-07-28", "订购 2 件 茶？", "[ { type: 'text', text: '已订购 2 件 茶' } ]", ""],
};
const folder = mkdtempSync(join(tmpdir(), "mcpwright-documents-"));
const documents = [
  ...Object.keys(readmes),
  "runtime/README.md",
  ...readdirSync(join(root, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
];

/** The TypeScript of a document, block by block. */
function examples(document: string): string[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code);
}

/** A block that begins with its name is a file; the others of a document are one together. */
function filesOf(document: string): [string, string][] {
  const name = document.replace(/\W/g, "_");
  const code = examples(document).map((text) => [/^\/\/ (\w+\.ts)\n/.exec(text)?.[1], text] as const);
  const named = code.flatMap(([file, text]): [string, string][] =>
    file === undefined ? [] : [[`${name}/${file}`, text]],
  );
  const others = code.flatMap(([file, text]) => (file === undefined ? [text] : []));
  return others.length > 0 ? [...named, [`${name}.ts`, others.join("\n")]] : named;
}

beforeAll(async () => {
  for (const name of [
    "@mcpwright/protocol",
    "@mcpwright/runtime",
    "@types/express",
    "@types/node",
    "express",
    "fastify",
    "hono",
    "mcpwright",
    "zod",
  ]) {
    mkdirSync(join(folder, "node_modules", name, ".."), { recursive: true });
    symlinkSync(name === "mcpwright" ? root : join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  const files = Object.fromEntries(documents.flatMap(filesOf));
  put(folder, { "package.json": JSON.stringify({ private: true, type: "module" }), ...files });
  for (const [name, code] of Object.entries(files))
    if (code.includes(" * @tool")) await compileTools({ file: join(folder, name) });
});

test("they compile", { timeout: 120_000 }, async () => {
  expect(await compile(folder, "nodenext", ["node"])).toBe("");
});

/** Runs a file as it is, without its types. Gives what it prints. */
async function output(home: string, name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [`${name}.js`], { cwd: home, timeout: 30_000 });
  return stdout;
}

async function strip(home: string, name: string): Promise<void> {
  const { code } = await transform(readFileSync(join(home, `${name}.ts`), "utf8"), { loader: "ts" });
  put(home, { [`${name}.js`]: code });
}

test("what docs/testing.md shows runs", { timeout: 60_000 }, async () => {
  await strip(folder, "docs_testing_md");
  expect((await output(folder, "docs_testing_md")).split("\n")[0]).toBe("[ { type: 'text', text: 'Hello' } ]");
});

test.each(Object.entries(readmes))(
  "the client of %s talks to its server",
  { timeout: 60_000 },
  async (document, said) => {
    const home = join(folder, document.replace(/\W/g, "_"));
    for (const name of ["server", "client"]) await strip(home, name);
    expect((await output(home, "client")).split("\n")).toEqual(said);
  },
);
