/** The adapters of the official SDK serve our handlers. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpExpressApp } from "@modelcontextprotocol/express";
import { createMcpFastifyApp } from "@modelcontextprotocol/fastify";
import { createMcpHonoApp } from "@modelcontextprotocol/hono";
import { toNodeHandler as toOfficialNodeHandler } from "@modelcontextprotocol/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client, type Era } from "../../../runtime/src/client.js";
import { SSEClientTransport, StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { toNodeHandler } from "../../../runtime/src/node.js";
import { createMcpHandler, type McpHttpHandler } from "../../../runtime/src/server/http.js";
import { Subject } from "../http-server/subject.js";

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

async function listen(listener: RequestListener): Promise<Fetch> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return toPort((server.address() as AddressInfo).port);
}

function toPort(port: number): Fetch {
  return (input, init) => {
    const sent = new Request(input, init);
    return fetch(new Request(sent.url.replace("//localhost/", `//127.0.0.1:${port}/`), sent));
  };
}

async function onFastify(handle: (request: never, response: never, options: never) => unknown): Promise<Fetch> {
  const app = createMcpFastifyApp();
  app.all("/mcp", (request, reply) => {
    reply.hijack();
    void handle(request.raw as never, reply.raw as never, request.body as never);
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  return toPort((app.server.address() as AddressInfo).port);
}

/** Their applications parse JSON, and check `Host` and `Origin`. */
const adapters: Readonly<Record<string, (handler: McpHttpHandler) => Promise<Fetch>>> = {
  "express, with their toNodeHandler": (handler) => {
    const handle = toOfficialNodeHandler(handler);
    return listen(
      createMcpExpressApp().all("/mcp", (request, response) => {
        void handle(request, response, request.body);
      }) as RequestListener,
    );
  },
  "express, with our toNodeHandler": (handler) =>
    listen(createMcpExpressApp().all("/mcp", toNodeHandler(handler)) as RequestListener),
  "fastify, with their toNodeHandler": (handler) => onFastify(toOfficialNodeHandler(handler)),
  "fastify, with our toNodeHandler": (handler) => {
    const handle = toNodeHandler(handler);
    return onFastify((request, response, parsedBody) => handle(request, response, { parsedBody }));
  },
  hono: (handler) => {
    const app = createMcpHonoApp();
    app.all("/mcp", (context) => {
      const parsedBody: unknown = context.get("parsedBody" as never);
      return handler.fetch(context.req.raw, { parsedBody });
    });
    return Promise.resolve((input, init) => {
      const sent = new Request(input, init);
      sent.headers.set("host", "localhost");
      return Promise.resolve(app.fetch(sent));
    });
  },
};

describe.each(Object.entries(adapters))("%s", (_, open) => {
  async function start() {
    const subject = new Subject();
    const handler = createMcpHandler(subject.server);
    onTestFinished(() => handler.close(0));
    return { subject, fetch: await open(handler) };
  }

  test.each<Era>(["handshake", "stateless"])("serves a client of the %s era, with changes", async (era) => {
    const { subject, fetch } = await start();
    const client = new Client({ name: "c", version: "1" });
    await client.connect(new StreamableHTTPClientTransport("http://localhost/mcp", { fetch }), { era });
    onTestFinished(() => client.close());
    expect(client.era).toBe(era);
    expect(await client.callTool({ name: "echo", arguments: { text: "ü" } })).toMatchObject({
      content: [{ text: "ü" }],
    });
    const changed = new Promise<void>((resolve) => client.onChanged("tools", resolve));
    await client.listTools();
    subject.server.sendToolListChanged();
    await changed;
  });

  test("serves HTTP+SSE", async () => {
    const { fetch } = await start();
    const client = new Client({ name: "c", version: "1" });
    await client.connect(new SSEClientTransport("http://localhost/mcp", { fetch }), { era: "handshake" });
    onTestFinished(() => client.close());
    expect(await client.callTool({ name: "echo", arguments: { text: "x" } })).toMatchObject({
      content: [{ text: "x" }],
    });
  });

  test("their guard rejects a foreign host", async () => {
    const { fetch } = await start();
    const headers = { origin: "https://evil.example", "content-type": "application/json" };
    expect((await fetch("http://localhost/mcp", { method: "POST", headers, body: "{}" })).status).toBe(403);
  });
});
