/** MCP in applications of express, fastify and hono, with one call each. */
import { Agent, request as httpRequest } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client, type Era } from "../../../runtime/src/client.js";
import { SSEClientTransport, StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { requireBearerAuth } from "../../../runtime/src/auth-server.js";
import { mcpMiddleware as expressMcp } from "../../../runtime/src/express.js";
import { mcpPlugin } from "../../../runtime/src/fastify.js";
import { mcpMiddleware as honoMcp } from "../../../runtime/src/hono.js";
import { McpServer } from "../../../runtime/src/server.js";
import fastify from "fastify";
import { Hono } from "hono";
import { ada, Subject } from "../http-server/subject.js";
import { call, initialize, modern, notification, plain, R4, type Message } from "../http-server/messages.js";
import type { Sent } from "../http-server/hosts.js";
import { kinds, type Application, type Kind, type OpenOptions } from "./applications.js";

const eras: readonly Era[] = ["handshake", "stateless"];

/** A request to an application. */
function to(path: string, { method = "POST", headers, body }: Sent, signal?: AbortSignal): Request {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return new Request(`http://localhost${path}`, {
    method,
    headers: headers as Record<string, string>,
    body: text ?? null,
    ...(signal && { signal }),
  });
}

async function start({ open, path }: Kind, options?: OpenOptions) {
  const subject = new Subject();
  const application = await open(subject.server, options);
  const send = (sent: Sent, at = path, signal?: AbortSignal) => application.send(to(at, sent, signal));
  return { subject, send, application };
}

async function connect({ send }: Application, path: string, era: Era, headers: Readonly<Record<string, string>> = {}) {
  const client = new Client({ name: "c", version: "1" });
  const fetch = (input: string | URL | Request, init?: RequestInit) => send(new Request(input, init));
  const url = `http://localhost${path}`;
  await client.connect(new StreamableHTTPClientTransport(url, { fetch, requestInit: { headers } }), { era });
  onTestFinished(() => client.close());
  return client;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const textOf = ([first]: readonly unknown[]) => (first as { readonly text: string }).text;
const json = async (response: Promise<Response>) => (await (await response).json()) as Message & { framework?: string };

describe.each(kinds)("$name", (kind) => {
  const { path, parses, isBelow } = kind;

  test.each(eras)("serves a client of the %s era, with changes", async (era) => {
    const { subject, application } = await start(kind);
    const client = await connect(application, path, era);
    expect(await client.callTool({ name: "echo", arguments: { text: "ü" } })).toMatchObject({
      content: [{ text: "ü" }],
    });
    let changes = 0;
    client.onChanged("tools", () => changes++);
    await client.listTools();
    subject.server.sendToolListChanged();
    await until(() => changes > 0);
  });

  test("serves HTTP+SSE", async () => {
    const { application } = await start(kind);
    const client = new Client({ name: "c", version: "1" });
    const fetch = (input: string | URL | Request, init?: RequestInit) => application.send(new Request(input, init));
    await client.connect(new SSEClientTransport(`http://localhost${path}`, { fetch }), { era: "handshake" });
    onTestFinished(() => client.close());
    expect(await client.callTool({ name: "echo", arguments: { text: "x" } })).toMatchObject({
      content: [{ text: "x" }],
    });
  });

  test("leaves other routes alone, and guards them", async () => {
    const { send } = await start(kind);
    const sent = { body: { a: 1 }, headers: { "content-type": "application/json" } };
    expect(await json(send(sent, "/other"))).toEqual({ a: 1 });
    const foreign = { ...sent, headers: { ...sent.headers, origin: "https://evil.example" } };
    const refused = await send(foreign, "/other");
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: -32600 } });
    expect((await send({ method: "GET" }, `${path}/below`)).status).toBe(404);
    expect((await send({ method: "GET" }, "/")).status).toBe(404);
  });

  test("responds to invalid requests", async () => {
    const { send } = await start(kind);
    const broken = await json(send(plain("{")));
    if (parses) expect(broken.framework).toMatch(/JSON/);
    else expect(broken).toMatchObject({ error: { code: -32700 } });
    expect((await send(plain("[]"))).status).toBe(400);
    expect((await send(plain(""))).status).toBe(400);
    expect((await send(plain("{}", { headers: { "content-type": "text/plain" } }))).status).toBe(415);
    expect((await send({ method: "PUT" })).status).toBe(405);
    expect((await send({ method: "OPTIONS", headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect((await send({ method: "GET", headers: { accept: "text/html" } })).status).toBe(406);
  });

  test("bounds bodies", async () => {
    const { send } = await start(kind, { maxBodyBytes: 100_000 });
    const large = call(1, "echo", { text: "x".repeat(200_000) });
    // A parser of the framework has its own limit.
    expect((await send(large)).status).toBe(parses ? 200 : 413);
    expect(await json(send(call(2, "echo", { text: "y".repeat(50_000) })))).toMatchObject({ id: 2, result: {} });
  });

  test("passes the principal of the application", async () => {
    const { application } = await start(kind, { principalOf: (user) => (user === "ada" ? ada : undefined) });
    for (const [headers, principal] of [
      [{ "x-user": "ada" }, ada],
      [{}, null],
    ] as const) {
      const client = await connect(application, path, "stateless", headers);
      const { content } = await client.callTool({ name: "facts" });
      expect(JSON.parse(textOf(content))).toEqual([principal, path, null, null]);
    }
  });

  test("an error of the application goes to the error handler of the framework", async () => {
    const { send } = await start(kind, {
      principalOf: () => {
        throw new Error("no users");
      },
    });
    const failed = await send(modern(1, "tools/list"));
    expect(failed.status).toBe(500);
    expect(await failed.json()).toEqual({ framework: "no users" });
  });

  // The metadata are at the root of the site.
  if (!isBelow)
    test("authorization: serves the metadata, and accepts tokens", async () => {
      const resource = `http://localhost${path}`;
      const authorization = requireBearerAuth({
        resource,
        verifier: {
          issuers: ["https://auth.example"],
          verifyAccessToken: (token) => ({
            ...{ token, issuer: "https://auth.example", subject: token, audience: [resource] },
            ...{
              clientId: "c",
              scopes: [],
              keyThumbprint: undefined,
              expiresAt: Math.floor(Date.now() / 1000) + 60,
              claims: {},
            },
          }),
        },
      });
      const { send, application } = await start(kind, { authorization });
      const [metadata = ""] = authorization.publicPaths;
      expect(metadata).toBe(`/.well-known/oauth-protected-resource${path}`);
      expect(await json(send({ method: "GET" }, metadata))).toMatchObject({ resource });
      expect((await send({ method: "POST", body: "{}" }, metadata)).status).toBe(405);
      const refused = await send(modern(1, "tools/list"));
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringContaining(metadata),
      ]);
      for (const era of eras) {
        const client = await connect(application, path, era, { authorization: "Bearer momo" });
        const { content } = await client.callTool({ name: "facts" });
        expect(JSON.parse(textOf(content))).toMatchObject([{ subject: "momo" }, path, null, null]);
      }
      const sent = { body: { a: 1 }, headers: { "content-type": "application/json" } };
      expect(await json(send(sent, "/other"))).toEqual({ a: 1 });
    });

  test("a client that disconnects aborts its call", async () => {
    const { subject, send } = await start(kind);
    const leaving = new AbortController();
    send(call(1, "hold", { key: "k" }), path, leaving.signal).catch(() => undefined);
    await until(() => subject.holds("k"));
    leaving.abort();
    await until(() => subject.aborted.length > 0);
    subject.release("k");
    expect(await json(send(call(2, "echo", { text: "x" })))).toMatchObject({ id: 2, result: {} });
  });

  test("closing ends streams and sessions", async () => {
    const { send, application } = await start(kind);
    const opened = await send(plain(initialize(R4)));
    const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": R4 };
    expect((await send(plain(notification("notifications/initialized"), { headers }))).status).toBe(202);
    const stream = await send({ method: "GET", headers: { ...headers, accept: "text/event-stream" } });
    expect(stream.status).toBe(200);
    await Promise.all([application.close(), stream.text().catch(() => undefined)]);
    const later = await application.handler.fetch(to(path, modern(1, "tools/list")));
    expect(later.status).toBe(503);
  });
});

describe.each(kinds.filter(({ name }) => /^(express|fastify)/.test(name)))("$name over a socket", (kind) => {
  test("a body that is cut off leaves the application alive", async () => {
    const { send, application } = await start(kind);
    const probe = await application.send(new Request(`http://localhost${kind.path}`, { method: "PUT" }));
    const port = Number(new URL(probe.url).port);
    const agent = new Agent();
    const headers = { ...plain("").headers, host: "localhost", "content-length": "1000" } as Record<string, string>;
    await new Promise<void>((resolve) => {
      const sent = httpRequest({ port, agent, path: kind.path, method: "POST", headers });
      sent.on("error", () => resolve()).on("close", () => resolve());
      sent.write('{"jsonrpc":', () => sent.destroy());
    });
    expect(await json(send(call(2, "echo", { text: "x" })))).toMatchObject({ id: 2, result: {} });
  });
});

test.each(kinds.filter(({ name }) => name.includes("with hooks")))("$name: headers of hooks are sent", async (kind) => {
  const { send } = await start(kind);
  expect((await send(modern(1, "tools/list"))).headers.get("x-hook")).toBe("on");
});

test("fastify: with authorization, a prefix is an error that names the whole path", async () => {
  const authorization = requireBearerAuth({
    resource: "http://localhost/api/mcp",
    verifier: { issuers: ["https://auth.example"], verifyAccessToken: () => Promise.reject(new Error("no")) },
  });
  const app = fastify();
  await expect(
    app.register(mcpPlugin(new McpServer({ name: "s", version: "1" }), { authorization }), { prefix: "/api" }),
  ).rejects.toMatchObject({
    code: "INVALID_CONFIGURATION",
    message: expect.stringContaining('path: "/api/mcp"') as string,
  });
});

test.each([{ path: "mcp" }, { path: "/mcp?a" }, { path: "/:id" }, { path: [] }, { path: [1] }, { path: 7 }])(
  "rejects the options %j",
  (options) => {
    const server = new McpServer({ name: "s", version: "1" });
    for (const mount of [expressMcp, honoMcp, mcpPlugin])
      expect(() => mount(server, options as never)).toThrow(/path must be a path/);
  },
);

test("several paths lead to the same sessions", async () => {
  const mcp = honoMcp(new Subject().server, { path: ["/mcp", "/old"] });
  onTestFinished(() => mcp.handler.close(0));
  const app = new Hono().use(mcp);
  const opened = await app.fetch(to("/mcp", plain(initialize(R4))));
  const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  expect((await app.fetch(to("/old", { method: "DELETE", headers }))).status).toBe(200);
});
