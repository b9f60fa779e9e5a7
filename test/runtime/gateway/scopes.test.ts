/** The scopes that clients need for servers and tools. */
import { describe, expect, test } from "vitest";
import { createGateway, type GatewayServer, requireScopes, type ServerScopes } from "../../../runtime/src/gateway.js";
import { McpServer } from "../../../runtime/src/server.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { clientOf, eras, info, type Revision, text } from "../api/pair.js";
import { join } from "./in-memory.js";
import { protect, type Protected } from "./protected.js";

interface Docs {
  readonly server: McpServer;
  readonly entered: string[];
}

/** A server that notes what was called. */
function docs(name = "docs"): Docs {
  const entered: string[] = [];
  const server = new McpServer({ name, version: "1.0.0" }, { instructions: `Secrets of ${name}.` });
  for (const tool of ["read", "write_page"])
    server.registerTool(tool, {}, () => {
      entered.push(tool);
      return text(`${tool} by ${name}`);
    });
  server.registerPrompt("greet", {}, () => ({ messages: [] }));
  server.registerResource("page", "docs://page", {}, (uri) => {
    entered.push("page");
    return { contents: [{ uri: uri.href, text: "page" }] };
  });
  return { server, entered };
}

const tokens = {
  "ann-none": [],
  "bo-reads": ["docs:read"],
  "cy-writes": ["docs:read", "docs:write"],
  "di-admin": ["admin"],
};

const byTool = requireScopes({ "*": ["docs:read"], "write_*": ["docs:write"] });
const forReaders = requireScopes(["docs:read"]);

function gatewayWith(scopes: ServerScopes, names?: "none"): { readonly at: Protected; readonly up: Docs } {
  const up = docs();
  const other = new McpServer(info);
  other.registerTool("open", {}, () => text("opened"));
  const servers: Record<string, GatewayServer> = { docs: { server: up.server, scopes }, other: { server: other } };
  return { at: protect(createGateway({ servers, ...(names && { names }) }), tokens), up };
}

describe.each(eras)("%s", (revision: Revision) => {
  test("lists have what a client may use, and those of others are not mixed up", async () => {
    const { at } = gatewayWith(byTool);
    const seen = async (token: string): Promise<unknown> => {
      const client = await at.connect(token, revision);
      const { tools, cacheScope } = (await client.listTools()) as { tools: { name: string }[]; cacheScope?: string };
      if (revision === "2026-07-28") expect(cacheScope).toBe("private");
      const { prompts } = await client.listPrompts();
      const { resources } = await client.listResources();
      return [tools.map(({ name }) => name).join(), prompts.length, resources.length];
    };
    const all = ["docs_read,docs_write_page,other_open", 1, 1];
    for (let round = 0; round < 2; round++) {
      expect(await seen("cy-writes")).toEqual(all);
      expect(await seen("ann-none")).toEqual(["other_open", 0, 0]);
      expect(await seen("bo-reads")).toEqual(["docs_read,other_open", 1, 1]);
      expect(await seen("di-admin")).toEqual(all);
    }
    expect(at.refused).toEqual([]);
  });

  test.each([undefined, "none"] as const)(
    "calls without the scopes are refused with a challenge, names: %s",
    async (names) => {
      const { at, up } = gatewayWith(byTool, names);
      const prefix = names ? "" : "docs_";
      const ann = await at.connect("ann-none", revision);
      const bo = await at.connect("bo-reads", revision);
      await expect(ann.callTool({ name: `${prefix}read` })).rejects.toThrow();
      await expect(ann.readResource({ uri: "docs://page" })).rejects.toThrow();
      await expect(ann.getPrompt({ name: `${prefix}greet` })).rejects.toThrow();
      await expect(bo.callTool({ name: `${prefix}write_page` })).rejects.toThrow();
      expect(at.refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      expect(at.refused[0]?.challenge).toContain('error="insufficient_scope"');
      expect(at.refused[0]?.challenge).toContain('scope="docs:read"');
      expect(at.refused[3]?.challenge).toContain('scope="docs:read docs:write"');
      expect(up.entered).toEqual([]);
      expect(await bo.callTool({ name: `${prefix}read` })).toMatchObject({ content: [{ text: "read by docs" }] });
      const di = await at.connect("di-admin", revision);
      await di.callTool({ name: `${prefix}write_page` });
      expect(up.entered).toEqual(["read", "write_page"]);
      await expect(bo.callTool({ name: `${prefix}nothing` })).rejects.toMatchObject({ code: -32602 });
    },
  );

  test("instructions of a server are for the clients that may use it", async () => {
    const { at } = gatewayWith(forReaders);
    const bo = await at.connect("bo-reads", revision);
    await bo.listTools();
    expect((await at.connect("bo-reads", revision)).getInstructions()).toContain("Secrets of docs.");
    expect((await at.connect("ann-none", revision)).getInstructions()).toBeUndefined();
  });

  test("subscriptions and completions need the scopes, too", async () => {
    const { at } = gatewayWith(forReaders);
    const ann = await at.connect("ann-none", revision);
    await expect(ann.subscribeResource({ uri: "docs://page" }, () => undefined)).rejects.toThrow();
    const ref = { type: "ref/prompt" as const, name: "docs_greet" };
    await expect(ann.complete({ ref, argument: { name: "a", value: "" } })).rejects.toThrow();
    expect(at.refused.map(({ status }) => status)).toEqual([403, 403]);
  });

  test("of two tools with one name, a client gets the one that it may use", async () => {
    const [first, second] = [docs("first"), docs("second")];
    const servers = { first: { server: first.server, scopes: forReaders }, second: { server: second.server } };
    const gateway = createGateway({ servers, names: "none", onerror: () => undefined });
    const at = protect(gateway, tokens);
    const calls = async (token: string) => (await at.connect(token, revision)).callTool({ name: "read" });
    expect(await calls("ann-none")).toMatchObject({ content: [{ text: "read by second" }] });
    expect(await calls("bo-reads")).toMatchObject({ content: [{ text: "read by first" }] });
    expect(await calls("ann-none")).toMatchObject({ content: [{ text: "read by second" }] });
  });
});

test("an update can add scopes", async () => {
  const { server } = docs();
  const gateway = createGateway({ servers: { docs: { server } } });
  const at = protect(gateway, tokens);
  const ann = await at.connect("ann-none", "2026-07-28");
  await ann.callTool({ name: "docs_read" });
  await gateway.update({ docs: { server, scopes: forReaders } }, 0);
  await expect(ann.callTool({ name: "docs_read" })).rejects.toThrow();
  expect(at.refused[0]?.status).toBe(403);
});

test("over HTTP, scopes need an authorization", () => {
  const gateway = createGateway({ servers: { docs: { server: docs().server, scopes: forReaders } } });
  expect(() => createMcpHandler(gateway)).toThrow("set the option authorization");
});

test("clients that are not connected over HTTP may use all", async () => {
  const gateway = createGateway({ servers: { docs: { server: docs().server, scopes: byTool } } });
  const client = await join(gateway, clientOf("2025-11-25").client);
  expect(await client.callTool({ name: "docs_write_page" })).toMatchObject({ content: [{ type: "text" }] });
});

test.each([
  ["docs:read", "pass a list of scopes, or an object"],
  [["docs read"], 'the scopes of "*" must be strings without spaces'],
  [{ "": ["docs:read"] }, "a name is empty"],
  [{ "write_*": "docs:write" }, 'the scopes of "write_*" must be strings'],
])("%j is refused", (scopes, message) => {
  expect(() => requireScopes(scopes as never)).toThrow(message);
});

test("scopes as they are are refused", () => {
  const servers = { docs: { server: docs().server, scopes: ["docs:read"] as never } };
  expect(() => createGateway({ servers })).toThrow('scopes of the server "docs": pass requireScopes');
});
