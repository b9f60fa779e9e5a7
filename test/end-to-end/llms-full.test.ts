/** `llms-full.txt` alone is enough: its snippets, in their order, make a server, a client, a protected server and an extension. */
import { exec } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { docsForModels } from "../../scripts/docs/llms/llms.js";
import { freePort } from "../../scripts/free-port.js";
import { type AuthServer, startAuthServer } from "../auth-server/auth-server.js";
import { FormUser } from "../auth-server/form-user.js";
import { root } from "../cli/command-line.js";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { providerFor } from "../log-in/provider-for.js";
import { GuidePage, runMcpwright } from "./guide-page.js";
import { startProgram } from "./start-program.js";

const { full } = docsForModels(root);
const [, ...parts] = full.split(/^<!-- page: (.+) -->$/m);
const pages = new Map(
  parts.flatMap((path, index) => (index % 2 === 0 ? [[path, new GuidePage(path, parts[index + 1])]] : [])),
);
/** Each page begins in an empty folder, with the packages installed. */
const project = sandbox();
let auth: AuthServer;

beforeAll(async () => {
  auth = await startAuthServer({ registration: true });
  mkdirSync(join(project, "node_modules"));
  for (const name of [".bin", "@mcpwright", "@types", "jose", "oauth4webapi", "typescript", "zod"])
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
});
afterAll(() => auth.close());

interface Written {
  readonly page: GuidePage;
  readonly folder: string;
}

/**
 * Writes the snippets of a page that begin with the path of a file, in their order.
 * @param only the files that are needed; the first snippet of each. Default: all
 * @param values what differs here from the page
 */
function write(path: string, only?: readonly string[], values: Readonly<Record<string, string>> = {}): Written {
  const page = pages.get(path) ?? expect.fail(`llms-full.txt has no page ${path}`);
  const folder = join(project, path.replace(/\.md$/, ""));
  const files = [...page.blocks("ts"), ...page.blocks("json")].flatMap((code): [string, string][] => {
    const name = /^\/\/ ([\w/]+\.(?:ts|json))\n/.exec(code)?.[1];
    return name !== undefined && (only?.includes(name) ?? true) ? [[name, code]] : [];
  });
  expect(files.length).toBeGreaterThanOrEqual(only?.length ?? 1);
  for (const [written, here] of Object.entries(values))
    for (const file of files) file[1] = file[1].replaceAll(written, here);
  put(folder, Object.fromEntries(files));
  return { page, folder };
}

async function shell(command: string, folder: string): Promise<string> {
  return (await promisify(exec)(command, { cwd: folder, timeout: 120_000 })).stdout;
}

test("a server and a client", { timeout: 180_000 }, async () => {
  const { page, folder } = write("README.md");
  expect(page.commands).toContain("npm init -y && npm pkg set type=module");
  await shell("npm init -y && npm pkg set type=module", folder);
  expect(await shell("npx tsc && node client.js", folder)).toBe(page.block("text", "2026-07-28"));
});

test("a protected server, which asks for another scope when a tool needs it", { timeout: 180_000 }, async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  auth.resources.set(`${origin}/mcp`, { scopes: ["files:read", "files:write"], tokens: "jwt" });
  const { folder } = write("guide/protect.md", ["server.ts"], {
    "https://mcp.example.com": origin,
    "mcp.example.com": "127.0.0.1",
    "https://auth.example.com": auth.issuer,
    "port: 3000": `port: ${port}`,
  });
  put(folder, pages.get("README.md")?.file("tsconfig.json") ?? {});
  await shell("npm init -y && npm pkg set type=module && npx tsc", folder);
  await startProgram(join(folder, "server.js"), new URL(origin));
  const client = new Client({ name: "desk", version: "1.0.0" });
  onTestFinished(() => client.close());
  const authProvider = providerFor(new FormUser());
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider }));
  const call = { name: "write", arguments: { text: "tea" } };
  expect(await client.callTool(call)).toMatchObject({ content: [{ text: "written" }] });
});

test("an extension", { timeout: 180_000 }, async () => {
  const { page, folder } = write("guide/extensions.md", ["rank/schema.ts", "server.ts", "client.ts", "tsconfig.json"]);
  const generate = page.commands.find((command) => command.includes("generate --extension")) ?? "";
  await shell("npm init -y && npm pkg set type=module", folder);
  expect(await runMcpwright(generate, folder)).toMatchObject({ code: 0, err: "" });
  expect(await shell("npx tsc && node client.js", folder)).toBe(page.block("text", "[ 'tea' ]"));
});
