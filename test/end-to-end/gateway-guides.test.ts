/** The commands of the guides about `mcpwright gateway` run as written, and print what the guides show. */
import { type ChildProcess, exec, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { type HttpServerHandle, serveHttp } from "@mcpwright/runtime/node";
import { McpServer } from "@mcpwright/runtime/server";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { freePort } from "../../scripts/free-port.js";
import { root } from "../cli/command-line.js";
import { put } from "../generator/shared/files/sandbox.js";
import { guideFolder } from "./guide-programs.js";

/** Stands in for `npx`, which would install: it knows mcpwright, and a server with the tools of the file server. */
const npx = (folder: string): string => `#!/usr/bin/env node
import { spawnSync } from "node:child_process";
const [name, ...args] = process.argv.slice(2).filter((word, at) => at > 0 || word !== "-y");
const programs = { mcpwright: ${JSON.stringify(join(root, "dist/cli.js"))}, "@modelcontextprotocol/server-filesystem": ${JSON.stringify(join(folder, "files.js"))} };
process.exitCode = spawnSync(process.execPath, [programs[name], ...args], { stdio: "inherit" }).status ?? 1;
`;

const files = `import { McpServer } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";
const server = new McpServer({ name: "files", version: "1.0.0" });
for (const name of ["read_file", "read_text_file", "read_media_file", "write_file", "list_directory", "list_allowed_directories", "move_file"])
  server.registerTool(name, {}, () => ({ content: [{ type: "text", text: String(process.pid) }] }));
serveStdio(server);
`;

let folder: string;
let docs: HttpServerHandle;

beforeAll(async () => {
  folder = guideFolder([]);
  put(folder, { "bin/npx": npx(folder), "bin/package.json": '{ "type": "module" }', "files.js": files });
  chmodSync(join(folder, "bin/npx"), 0o755);
  const server = new McpServer({ name: "docs", version: "1.0.0" });
  const inputSchema = z.object({ query: z.string() });
  server.registerTool("search", { description: "Searches the documentation.", inputSchema }, () => ({ content: [] }));
  docs = await serveHttp(server, { graceMs: 0 });
});

afterAll(() => docs.close());

function blocks(page: string, language: string): readonly string[] {
  const text = readFileSync(join(root, "docs/guide", page), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, block = ""]) => block);
}

/** A text of a page, with the addresses of this test. */
function here(text: string, port?: number): string {
  const moved = text.replaceAll("https://example.com/mcp", docs.url.href);
  return port === undefined ? moved : moved.replaceAll("3000", String(port));
}

/** The commands of a page that begin with some words. */
function commands(page: string, start: string): readonly string[] {
  const found = blocks(page, "sh")
    .flatMap((block) => block.trim().split("\n"))
    .filter((line) => line.startsWith(start));
  expect(found, `${page}: ${start}`).not.toEqual([]);
  return found;
}

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
});

async function run(command: string): Promise<string> {
  const { stdout } = await promisify(exec)(command, { cwd: folder, env: environment(), timeout: 120_000 });
  return stripVTControlCharacters(stdout);
}

/** Starts a command that serves, until the test has finished. @returns what it prints before it serves */
async function serve(command: string): Promise<string> {
  const child: ChildProcess = spawn("sh", ["-c", command], { cwd: folder, env: environment(), detached: true });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    process.kill(-(child.pid ?? 0), "SIGTERM");
    await ended;
  });
  let printed = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (printed += text));
  await expect.poll(() => printed, { timeout: 60_000 }).toMatch(/Serving .*\n( .*\n)+/);
  return printed;
}

/** Expects the parts of a text, which `…` separates, in their order. */
function expectExcerpts(printed: string, shown: string): void {
  let rest = printed;
  for (const part of shown.split(/^…\n/m)) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
}

function writeConfigs(page: string): void {
  for (const text of blocks(page, "jsonc")) {
    const [, name = ""] = /^\/\/ (\S+)\n/.exec(text) ?? [];
    put(folder, { [name]: here(text) });
  }
}

test("gateway-old-hosts.md", { timeout: 240_000 }, async () => {
  const page = "gateway-old-hosts.md";
  const [config = ""] = blocks(page, "json");
  put(folder, { "host.json": here(config) });
  expect(await run("npx mcpwright inspect host.json --revision 2024-11-05")).toContain("speaks 2024-11-05 over stdio");
  for (const command of commands(page, "npx mcpwright inspect")) {
    const printed = await run(here(command));
    expectExcerpts(printed, blocks(page, "text").join(""));
  }
});

test("gateway-many-users.md", { timeout: 240_000 }, async () => {
  const page = "gateway-many-users.md";
  const port = await freePort();
  const [start = ""] = commands(page, "npx mcpwright gateway");
  const [announced = "", shown = ""] = blocks(page, "text");
  expect(await serve(here(start, port))).toContain(here(announced, port));
  const [look = ""] = commands(page, "npx mcpwright inspect");
  const printed = await run(here(look, port));
  expectExcerpts(printed, shown);
});

test("gateway-many-users.md, with access tokens", { timeout: 240_000 }, async () => {
  const page = "gateway-many-users.md";
  const port = await freePort();
  writeConfigs(page);
  const [check = "", protect = ""] = commands(page, "npx mcpwright gateway gateway.json");
  expect(await run(check)).toBe(blocks(page, "text")[2]);
  await serve(here(protect, port));
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", body: "{}" });
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toContain("https://gateway.example.com/.well-known/");
});

test("gateway-one-address.md", { timeout: 240_000 }, async () => {
  const page = "gateway-one-address.md";
  const port = await freePort();
  writeConfigs(page);
  const [check = "", start = ""] = commands(page, "npx mcpwright gateway");
  await run(here(check, port));
  await serve(here(start, port));
  const [look = ""] = commands(page, "npx mcpwright inspect");
  const printed = await run(here(look, port));
  expectExcerpts(printed, blocks(page, "text").join(""));
});

test("gateway-log-in.md", { timeout: 240_000 }, async () => {
  const page = "gateway-log-in.md";
  const port = await freePort();
  writeConfigs(page);
  const [start = ""] = commands(page, "npx mcpwright gateway");
  expect(await serve(here(start, port))).toContain("Serving 3 servers");
  const text = readFileSync(join(root, "docs/guide", page), "utf8");
  const document = (await (await fetch(`http://127.0.0.1:${port}/log-in/client`)).json()) as Record<string, unknown>;
  expect(text).toContain(`\`${String(document["client_id"])}\``);
  const uris = document["redirect_uris"] as readonly string[];
  expect(uris).toHaveLength(2);
  for (const uri of uris) expect(text).toContain(`\`${uri}\``);
  expect((await fetch(`http://127.0.0.1:${port}/log-in`)).status).toBe(410);
});

test("gateway-fewer-tools.md", { timeout: 240_000 }, async () => {
  const page = "gateway-fewer-tools.md";
  writeConfigs(page);
  const [look = ""] = commands(page, "npx mcpwright inspect");
  const printed = await run(look);
  expectExcerpts(printed, blocks(page, "text").join(""));
  for (const withheld of ["write_file", "read_media_file", "read_text_file"]) expect(printed).not.toContain(withheld);
});
