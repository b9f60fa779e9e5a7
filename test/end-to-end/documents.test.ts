/** The code in the documents compiles and runs. The programs of the READMEs print the output below. */
import { type ChildProcessByStdio, exec, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { compile as compileTools } from "../../generator/commands/compile/compile.js";
import { root } from "../cli/command-line.js";
import { put } from "../generator/shared/files/sandbox.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { compile } from "./compile.js";

/** The output of the clients in each README. */
const readmes = {
  "README.md": {
    client: ["2026-07-28", "[ { type: 'text', text: '5' } ]", ""],
    shop: ["Order 2 x tea?", "[ { type: 'text', text: '2 x tea ordered' } ]", ""],
    reader: ["working", "completed", "[ { type: 'text', text: 'Done' } ]", ""],
  },
  "README.zh-CN.md": {
    client: ["2026-07-28", "[ { type: 'text', text: '5' } ]", ""],
    shop: ["订购 2 件 茶？", "[ { type: 'text', text: '已订购 2 件 茶' } ]", ""],
    reader: ["working", "completed", "[ { type: 'text', text: '完成' } ]", ""],
  },
};
const folder = temporaryFolder("documents");
const documents = [
  ...Object.keys(readmes),
  "generated/README.md",
  "runtime/README.md",
  ...["concepts", "guide", "cli", "reference"].flatMap((part) =>
    readdirSync(join(root, "docs", part)).flatMap((name) => (name.endsWith(".md") ? [`docs/${part}/${name}`] : [])),
  ),
  // Their code imports what their commands generate: a test of its own runs both.
].filter((document) => !/^docs\/guide\/(regenerating|extensions|extension-settings)\.md$/.test(document));

/** The TypeScript blocks of a document, each with the lines before it. */
function examples(document: string): { readonly code: string; readonly before: number }[] {
  const text = readFileSync(join(root, document), "utf8");
  return Array.from(text.matchAll(/^```ts\n(.*?)^```/gms), ({ index, 1: code = "" }) => ({
    code,
    before: text.slice(0, index).split("\n").length,
  }));
}

const nameOf = (document: string): string => document.replace(/\W/g, "_");

/**
 * Splits the blocks of a document into files: a block that starts with a file name is a file; the others form one file. Code stays at its line,
 * so that errors name the line of the document.
 */
function filesOf(document: string): [string, string][] {
  const files = new Map<string, string>();
  for (const { code, before } of examples(document)) {
    const [, file] = /^\/\/ (\w+\.ts)\n/.exec(code) ?? [];
    const name = nameOf(document) + (file === undefined ? ".ts" : `/${file}`);
    const earlier = file === undefined ? (files.get(name) ?? "") : "";
    files.set(name, earlier + "\n".repeat(before - earlier.split("\n").length + 1) + code);
  }
  // The programs of a page may import its named files.
  return [...files].sort(([a], [b]) => Number(b.includes("/")) - Number(a.includes("/")));
}

/** The errors of the compiler, with the document and its line. */
function inDocuments(errors: string): string {
  return errors.replace(/^(\w+?_md)(?:\/\w+)?\.ts\((\d+),(\d+)\)/gm, (place, name, line, column) => {
    const document = documents.find((one) => nameOf(one) === name);
    return document === undefined ? place : `${document}:${String(line)}:${String(column)}`;
  });
}

beforeAll(async () => {
  for (const name of [
    "@mcpwright/protocol",
    "@mcpwright/runtime",
    "@opentelemetry/api",
    "@opentelemetry/context-async-hooks",
    "@opentelemetry/core",
    "@opentelemetry/sdk-trace-base",
    "@types/express",
    "@types/node",
    "express",
    "fastify",
    "hono",
    "jose",
    "libsql",
    "mcpwright",
    "rate-limiter-flexible",
    "redis",
    "yaml",
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

test("the code of the documents compiles", { timeout: 120_000 }, async () => {
  expect(inDocuments(await compile(folder, "nodenext", ["node"]))).toBe("");
});

async function strip(home: string, name: string): Promise<void> {
  const { code } = await transform(readFileSync(join(home, `${name}.ts`), "utf8"), { loader: "ts" });
  put(home, { [`${name}.js`]: code });
}

/** The programs, addresses and files that the documents assume. */
function standIns(): Record<string, string> {
  const library = `
    import { McpServer } from "@mcpwright/runtime/server";
    import { z } from "zod";
    export const server = new McpServer(
      { name: "library", version: "1.0.0" },
      { capabilities: { resources: { subscribe: true, listChanged: true } } },
    );
    const content = [{ type: "text", text: "Momo" }];
    server.registerTool("search", { inputSchema: z.object({ title: z.string() }) }, () => ({ content }));
    server.registerResource("catalogue", "library://catalogue", {}, ({ href }) => ({ contents: [{ uri: href, text: "" }] }));
    server.registerPrompt("review", { argsSchema: z.object({ language: z.string() }) }, () => ({ messages: [] }));
  `;
  const official = (name: string): string => readFileSync(join(root, name), "utf8");
  return {
    "library.js": library,
    "bin/my-server": `#!/usr/bin/env node
      import { serveStdio } from "@mcpwright/runtime/stdio";
      import { server } from "../library.js";
      serveStdio(server);
    `,
    "forecast/package.json": JSON.stringify({
      type: "module",
      dependencies: { "@modelcontextprotocol/server": "^2.4.0" },
    }),
    "forecast/index.js": `
      import { McpServer } from "@modelcontextprotocol/server";
      export const server = new McpServer({ name: "forecast", version: "1.0.0" });
    `,
    "notes/.mcpwright/project.json": JSON.stringify({
      about: "",
      format: 1,
      version: "0.0.1",
      options: { start: "minimal", name: "notes" },
      files: {},
    }),
    "elsewhere.js": `
      const direct = globalThis.fetch;
      globalThis.fetch = (url, init) => direct(String(url).replace("https://example.com", "http://127.0.0.1:3000"), init);
    `,
    "library-http.js": `
      import { serveHttp } from "@mcpwright/runtime/node";
      import { server } from "./library.js";
      await serveHttp(server, { port: 3000 });
      console.log("ready");
    `,
    "schema.ts": official("schema/2026-07-28/schema.ts"),
    "schema.json": official("generated/2026-07-28/schema.json"),
  };
}

/** Starts a program of the folder, as a reader of the documents would. */
function start(name: string): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, ["--import", "./elsewhere.js", name], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 30_000,
    env: {
      ...process.env,
      PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
      STATE_KEY: Buffer.alloc(32, 1).toString("base64"),
    },
  });
}

describe("the programs of the documents run", () => {
  /** These fetch from the published host, which tests do not. */
  const remote = ["docs/cli/compare-schema.md", "docs/cli/outdated.md", "docs/cli/vendor.md"];
  /** It uses variables that the reader must define. */
  const partial = "generated/README.md";
  /** These are servers, which run until they are stopped. */
  const serving = ["deploying", "http-servers", "security", "server-per-client"].map((name) => `docs/guide/${name}.md`);

  beforeAll(async () => {
    put(folder, standIns());
    chmodSync(join(folder, "bin/my-server"), 0o755);
    await strip(join(folder, "README_md"), "server");
    put(folder, { "server.js": readFileSync(join(folder, "README_md/server.js"), "utf8") });
  });

  const programs = documents.filter((document) => {
    const [name] = filesOf(document).at(-1) ?? [""];
    return name !== "" && !name.includes("/") && !remote.includes(document) && document !== partial;
  });

  test("the documents contain programs", () =>
    expect(programs).toEqual(expect.arrayContaining(["README.md", ...serving])));

  test.each(programs)("%s", { timeout: 240_000 }, async (document) => {
    const name = nameOf(document);
    await strip(folder, name);
    // Servers listen on the ports of the documents, so they run one after the other.
    const library = serving.includes(document) ? undefined : start("library-http.js");
    if (library) await once(library.stdout, "data");
    const program = start(`${name}.js`);
    const said = [text(program.stdout), text(program.stderr)];
    const exit = once(program, "exit");
    if (serving.includes(document)) await Promise.race([exit, setTimeout(4_000)]);
    if (serving.includes(document)) program.kill();
    const [code, signal] = (await exit) as [number | null, string | null];
    library?.kill();
    if (library) await once(library, "exit");
    expect([code, signal], (await Promise.all(said)).join("\n")).toEqual([0, null]);
  });
});

test.each(Object.entries(readmes))(
  "the clients of %s call its servers",
  { timeout: 120_000 },
  async (document, printed) => {
    // As a reader would do it, in an empty folder in which the packages are installed.
    const home = mkdtempSync(join(folder, "empty-"));
    symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
    const readme = readFileSync(join(root, document), "utf8");
    const blocks = [...readme.matchAll(/^```\w+\n(.*?)^```/gms)];
    const named = blocks.map(([, code = ""]) => [/^\/\/ ([\w.]+)\n/.exec(code)?.[1], code] as const);
    for (const [name, code] of named)
      if (name !== undefined && /^(tsconfig\.json|(server|client|orders|shop|report|reader)\.ts)$/.test(name))
        put(home, { [name]: code });
    const commands = blocks.flatMap(([, code = ""]) => code.split("\n"));
    const run = async (command: string): Promise<string> =>
      (await promisify(exec)(command, { cwd: home, timeout: 60_000 })).stdout;
    const documented = (command: string): Promise<string> => {
      expect(commands.map((line) => line.replace(/ +#.*/, ""))).toContain(command);
      return run(command);
    };
    await documented("npm init -y && npm pkg set type=module");
    expect((await documented("npx tsc && node client.js")).split("\n")).toEqual(printed.client);
    expect(readme).toContain(`\`\`\`text\n${printed.client.join("\n")}\`\`\``);
    expect(readme).toContain("`node shop.js`");
    expect((await run("node shop.js")).split("\n")).toEqual(printed.shop);
    expect(readme).toContain("`node reader.js`");
    expect((await run("node reader.js")).split("\n")).toEqual(printed.reader);
  },
);
