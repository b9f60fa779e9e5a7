import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client, type ClientOptions, type Era } from "../../../runtime/src/client.js";
import { SSEClientTransport, StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { InMemoryTransport, type Principal, ProtocolError } from "../../../runtime/src/index.js";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { createMcpHandler, type McpHandlerOptions } from "../../../runtime/src/server/http.js";
import {
  eraOf,
  McpServer,
  type McpServerOptions,
  type MakeServer,
  Server,
  type ServedClient,
  serverPerClient,
} from "../../../runtime/src/server.js";
import { serveStdio, StdioServerTransport } from "../../../runtime/src/stdio.js";
import { call, initialize, modern, notification, plain, R4 } from "./messages.js";
import { ada, bob, text } from "./subject.js";

const info = { name: "tenants", version: "1.0.0" };
const eras: readonly Era[] = ["handshake", "stateless"];

/** A server with one tool, whose name is that of the user. */
function serverFor({ principal, era }: Pick<ServedClient, "principal" | "era">, options: McpServerOptions = {}) {
  const server = new McpServer(info, { capabilities: { resources: { subscribe: true } }, ...options });
  server.registerTool(principal?.subject ?? "nobody", {}, () => text(era));
  return server;
}

/** A handler whose servers `make` makes, and what it records. */
function serve(make: MakeServer, options: McpServerOptions = {}, handlerOptions?: McpHandlerOptions) {
  const reports: Error[] = [];
  const made: ServedClient[] = [];
  const shared = new McpServer(info, { onerror: (error) => reports.push(error), ...options });
  const source = serverPerClient(shared, (client) => {
    made.push(client);
    return make(client);
  });
  const handler = createMcpHandler(source, handlerOptions);
  onTestFinished(() => handler.close(0));
  /** Sends requests as a user. */
  const as = (principal?: Principal) => (input: string | URL | Request, init?: RequestInit) =>
    handler.fetch(new Request(input, init), { principal });
  async function connect(era: Era, principal?: Principal, options?: ClientOptions) {
    const client = new Client({ name: "c", version: "1" }, options);
    await client.connect(new StreamableHTTPClientTransport("http://localhost/mcp", { fetch: as(principal) }), { era });
    onTestFinished(() => client.close());
    return client;
  }
  return { shared, handler, reports, made, as, connect };
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.each(eras)("%s", (era) => {
  test("each client has the tools of its server", async () => {
    const { connect, made, handler } = serve((client) => serverFor(client));
    const [one, two] = [await connect(era, ada), await connect(era, bob)];
    expect([await namesOf(one), await namesOf(two)]).toEqual([["ada"], ["bob"]]);
    expect(await one.callTool({ name: "ada" })).toMatchObject(text(era));
    await expect(one.callTool({ name: "bob" })).rejects.toMatchObject({ code: -32602 });
    expect(new Set(made.map((client) => client.era))).toEqual(new Set([era]));
    expect(made[0]?.principal).toEqual(ada);
    expect(made[0]?.http?.header("content-type")).toBe("application/json");
    const requests = made.length;
    await one.callTool({ name: "ada" });
    // A session keeps its server.
    expect(made.length - requests).toBe(era === "handshake" ? 0 : 1);
    await handler.close();
  });

  test("asynchronous, with a server that is used again", async () => {
    const servers = new Map<string, McpServer>();
    const { connect } = serve(async (client) => {
      await Promise.resolve();
      const name = client.principal?.subject ?? "";
      const server = servers.get(name) ?? serverFor(client);
      servers.set(name, server);
      return server.server;
    });
    for (const user of [ada, bob, ada]) expect(await namesOf(await connect(era, user))).toEqual([user.subject]);
    expect(servers.size).toBe(2);
  });

  test("a change of any server reaches the clients that watch it", async () => {
    const { connect, shared } = serve((client) => {
      const server = serverFor(client);
      server.registerTool("save", {}, () => {
        server.sendResourceUpdated({ uri: "test:saved" });
        return text("");
      });
      return server;
    });
    const [one, two] = [await connect(era, ada), await connect(era, bob)];
    const seen: string[] = [];
    let lists = 0;
    one.onChanged("tools", () => lists++);
    expect(await one.subscribeResource({ uri: "test:saved" }, (uri) => seen.push(uri))).toBe(true);
    await one.subscribeResource({ uri: "test:all" }, (uri) => seen.push(uri));
    await two.callTool({ name: "save" });
    await until(() => seen.length === 1);
    shared.sendResourceUpdated({ uri: "test:all" });
    await until(() => seen.length === 2);
    expect(seen).toEqual(["test:saved", "test:all"]);
    // The servers that were made meanwhile have not changed any list.
    expect(lists).toBe(0);
  });

  test("a handler waits for the user, in a server that the next request does not get", async () => {
    const { connect } = serve((client) => {
      const server = serverFor(client);
      server.registerTool("ask", {}, async (context) => {
        const { content } = await context.elicit("name", {
          mode: "form",
          message: "Name?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } } },
        });
        return text(content?.["name"]);
      });
      return server;
    });
    const client = await connect(era, ada, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Momo" } }));
    expect(await client.callTool({ name: "ask" })).toMatchObject(text("Momo"));
  });

  test("an error of the application is the response, and its message stays secret", async () => {
    const { connect, reports } = serve(() => {
      throw new Error("the database is down");
    });
    const refused = await connect(era).catch((error: unknown) => error);
    expect(JSON.stringify(refused)).not.toContain("database");
    expect(reports.map(({ message }) => message)).toContain("the database is down");
  });
});

test("a ProtocolError is the response", async () => {
  const { as } = serve(() => {
    throw new ProtocolError(-31000, "Unknown tenant", { tenant: "x" });
  });
  const sent = call(1, "ada");
  const answer = await as()("http://localhost/mcp", post(sent));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    jsonrpc: "2.0",
    id: 1,
    error: { code: -31000, message: "Unknown tenant", data: { tenant: "x" } },
  });
});

const shown = (value: unknown) => value as never;
const used = new McpServer(info);
const wrong: readonly (readonly [string, MakeServer, RegExp])[] = [
  ["nothing", () => shown(undefined), /make must return an McpServer or a Server/],
  ["another object", () => shown({ server: {} }), /make must return an McpServer or a Server/],
  ["a rejected promise", () => Promise.reject(new Error("no tenant")), /no tenant/],
  [
    "a server with scopes",
    () => {
      const server = new McpServer(info);
      server.registerTool("t", { scopes: ["a"] }, () => text(""));
      return server;
    },
    /cannot have scopes/,
  ],
  ["a server with a backplane", () => new McpServer(info, { backplane: new MemoryBackplane() }), /backplane to shared/],
  [
    "a server with other revisions",
    () => {
      const { revisions } = new McpServer(info).server;
      return new McpServer(info, { revisions: revisions.all.slice(0, 1) });
    },
    /same revisions/,
  ],
  ["a server that serves others, too", () => used, /served in another way/],
];

test.each(wrong)("reports %s, and responds with an error", async (_, make, message) => {
  await used.connect(InMemoryTransport.createLinkedPair()[0]);
  onTestFinished(() => used.close(0));
  const { as, reports } = serve(make);
  for (const sent of [call(1, "t"), plain(initialize(R4))]) {
    const answer = await as()("http://localhost/mcp", post(sent));
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: { code: -32603, message: "Internal error" } });
  }
  expect(reports).toHaveLength(2);
  for (const { message: problem } of reports) expect(problem).toMatch(message);
});

test.each([
  ["no server", {}, /pass an McpServer or a Server as shared/],
  ["a server with tools", serverFor({ principal: ada, era: "stateless" }), /register tools, resources and prompts at/],
])("rejects %s as what clients share", (_, shared, message) => {
  expect(() => serverPerClient(shown(shared), () => new McpServer(info))).toThrow(message);
});

test("a low-level server, a client of HTTP+SSE, a request for CORS, and a notification", async () => {
  const { as, made } = serve(
    () => {
      const server = new Server(info, { capabilities: { tools: {} } });
      server.handle({ "tools/list": () => ({ tools: [{ name: "low", inputSchema: { type: "object" } }] }) });
      return server;
    },
    {},
    { allowedOrigins: ["http://app.example"] },
  );
  const client = new Client({ name: "c", version: "1" });
  await client.connect(new SSEClientTransport("http://localhost/mcp", { fetch: as(ada) }), { era: "handshake" });
  expect(await namesOf(client)).toEqual(["low"]);
  await client.close();
  const before = made.length;
  const origin = { origin: "http://app.example" };
  expect((await as()("http://localhost/mcp", { method: "OPTIONS", headers: origin })).status).toBe(204);
  expect(made).toHaveLength(before);
  const cancelled = plain(notification("notifications/cancelled", { requestId: 1 }));
  expect(
    (
      await as()(
        "http://localhost/mcp",
        post({ ...cancelled, headers: { ...cancelled.headers, "mcp-protocol-version": "2026-07-28" } }),
      )
    ).status,
  ).toBe(202);
});

test("requests of a session make no servers, and those of another user do not reach it", async () => {
  const { as, made } = serve((client) => serverFor(client));
  const opened = await as(ada)("http://localhost/mcp", post(plain(initialize(R4))));
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const ping = plain({ jsonrpc: "2.0", id: 1, method: "ping" }, { headers: session });
  expect((await as(ada)("http://localhost/mcp", post(ping))).status).toBe(200);
  expect((await as(bob)("http://localhost/mcp", post(ping))).status).toBe(404);
  expect(made).toHaveLength(1);
});

test("another node makes a server for a session that it takes over, and shares changes", async () => {
  const backplane = new MemoryBackplane();
  const stateKeys = [{ id: "1", key: new Uint8Array(32) }];
  const nodes = [1, 2].map(() => serve((client) => serverFor(client), { backplane, stateKeys }));
  onTestFinished(() => Promise.all(nodes.map(({ shared }) => shared.close(0))).then(() => undefined));
  const [one, two] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  let node = one;
  const client = new Client({ name: "c", version: "1" });
  const transport = new StreamableHTTPClientTransport("http://localhost/mcp", {
    fetch: (input, init) => node.as(ada)(input, init),
  });
  await client.connect(transport, { era: "handshake" });
  onTestFinished(() => client.close());
  node = two;
  expect(await namesOf(client)).toEqual(["ada"]);
  expect([one.made.length, two.made.length]).toEqual([1, 1]);
  let updates = 0;
  await client.subscribeResource({ uri: "test:r" }, () => updates++);
  one.shared.sendResourceUpdated({ uri: "test:r" });
  await until(() => updates > 0);
});

test("over stdio, the server is made once, before the first message", async () => {
  const made: ServedClient[] = [];
  const source = serverPerClient(new McpServer(info), (client) => {
    made.push(client);
    return Promise.resolve(serverFor({ principal: undefined, era: "stateless" }));
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { closed, connection } = serveStdio(source, { transport: new StdioServerTransport(input, output) });
  await connection;
  input.end(`${JSON.stringify(modern(1, "tools/list").body)}\n`);
  await closed;
  expect(JSON.parse(String(output.read()))).toMatchObject({ id: 1, result: { tools: [{ name: "nobody" }] } });
  expect(made).toEqual([{ era: undefined, principal: undefined, http: undefined }]);
});

test("over stdio, an error of the function rejects the connection", async () => {
  const source = serverPerClient(new McpServer(info), () => Promise.reject(new Error("no database")));
  const { closed, connection } = serveStdio(source, {
    transport: new StdioServerTransport(new PassThrough(), new PassThrough()),
  });
  await expect(connection).rejects.toThrow("no database");
  await closed;
});

test.each([
  [modern(1, "tools/list").body, "stateless"],
  [initialize(R4), "handshake"],
  [[modern(1, "tools/list").body], "handshake"],
  ["text", "handshake"],
  [undefined, "handshake"],
])("the era of %j", (message, era) => {
  expect(eraOf(message)).toBe(era);
});

function post({ headers, body }: { readonly headers?: object; readonly body?: unknown }): RequestInit {
  return { method: "POST", headers: { ...headers }, body: JSON.stringify(body) };
}
