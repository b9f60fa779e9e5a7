/**
 * Walks docs/guide/regenerating.md: the commands, files and programs of the page, in its order, in an empty folder with the
 * built packages.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { root, type Outcome } from "../cli/command-line.js";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { compile } from "./compile.js";
import { GuidePage, runMcpwright } from "./guide-page.js";

const page = new GuidePage("guide/regenerating.md");
const folder = sandbox();
const [older, newer] = ["2026-07-28", "2027-03-01"];

/** The schema of the page: each added line follows the line that is above it. */
function official(): string {
  let schema = readFileSync(join(root, "schema", older, "schema.ts"), "utf8").replaceAll(older, newer);
  for (const [, before = "", added = ""] of page.block("diff", "ClientRequest").matchAll(/^ (.*)\n((?:\+.*\n)+)/gm)) {
    expect(schema.split(`${before}\n`), before).toHaveLength(2);
    schema = schema.replace(`${before}\n`, (line) => line + added.replace(/^\+/gm, ""));
  }
  return `${schema}\n${page.block("ts", "export interface GreetRequest ")}`;
}

/** What the page says about `McpServer`: its tools lack the new member, which the overlay fills in. */
const mcpServer = `
import { InMemoryTransport } from "@mcpwright/runtime";
import { Client } from "@mcpwright/runtime/client/core";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { McpServer } from "@mcpwright/runtime/server/core";
import { listTools } from "./mcp/${newer}/client.js";
import { clientSide, serverSide } from "./mcp/${newer}/index.js";
import { conversions } from "./server.js";

const server = new McpServer({ name: "m", version: "1" }, { revisions: [serverSide, ...serverSides], conversions });
server.registerTool("tea", {}, () => ({ content: [] }));
const client = new Client({ name: "guest", version: "1" }, { revisions: [clientSide], conversions });
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
await client.connect(near);
console.log((await listTools(client.connection)).tools.map(({ price }) => price));
await client.close();
await server.close();
`;

const run = (command: string): Promise<Outcome> => runMcpwright(command, folder);
const output = async (program: string): Promise<string> => {
  const tsx = join(folder, "node_modules/tsx/dist/cli.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [tsx, program], { cwd: folder });
  return stdout;
};
const findings = ({ err }: Outcome): readonly string[] =>
  [...new Set([...err.matchAll(/finding\[([\w-]+)\]/g)].map(([, id = ""]) => id))].sort();

beforeAll(() => {
  put(folder, {
    "package.json": JSON.stringify({ private: true, type: "module" }),
    "official/schema.ts": official(),
  });
  mkdirSync(join(folder, "node_modules/@mcpwright"), { recursive: true });
  for (const name of ["@mcpwright/protocol", "@mcpwright/runtime", "@types", "tsx"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
});

test("the steps of the page lead to typed, validated and converted calls", { timeout: 600_000 }, async () => {
  const [vendor = "", html = "", explain = "", ignoring = "", again = "", start, ...rest] = page.commands;
  expect({ again, start, rest }).toEqual({ again: vendor, start: "npx tsx src/main.ts", rest: [] });

  expect(page.blocks("ts").join("\n")).not.toMatch(/\b(handle|request|setNotificationHandler)</);

  const first = await run(vendor);
  expect(first.code).toBe(1);
  expect(findings(first).join(", ")).toBe(page.block("text", "capability-unknown").trim());
  expect((await run(html)).code).toBe(1);
  expect(readFileSync(join(folder, "changes.html"), "utf8")).toContain("Tool.price");
  expect(await run(explain)).toMatchObject({ code: 0, out: expect.stringContaining("GreetRequestParams") as string });

  put(folder, {
    "accepted.json": page.block("json", '"member-added-required"'),
    [`protocol/schema/${newer}/overlay.json`]: page.block("json", '"extends"'),
    ...page.file("src/server.ts"),
    ...page.file("src/main.ts"),
    "src/mcp-server.ts": mcpServer,
  });
  const second = await run(again);
  expect({ code: second.code, findings: findings(second) }).toEqual({ code: 0, findings: [] });
  expect(await run(ignoring)).toMatchObject({ code: 0 });

  expect(await compile(join(folder, "src"), "nodenext", ["node"])).toBe("");
  expect(await output("src/main.ts")).toBe(page.block("text", `${newer} 1`));
  expect(await output("src/mcp-server.ts")).toBe("[ 0 ]\n");
});
