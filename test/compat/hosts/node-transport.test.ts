import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as oursNode from "@mcpwright/compat/node";
import { McpServer as OurServer } from "@mcpwright/compat/server";
import * as officialNode from "@modelcontextprotocol/node";
import { McpServer as OfficialServer } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test } from "vitest";

let http: Server | undefined;
afterEach(() => {
  http?.closeAllConnections();
  http?.close();
});

const packages = {
  ours: { Transport: oursNode.NodeStreamableHTTPServerTransport, Server: OurServer },
  official: {
    Transport:
      officialNode.NodeStreamableHTTPServerTransport as unknown as typeof oursNode.NodeStreamableHTTPServerTransport,
    Server: OfficialServer as unknown as typeof OurServer,
  },
};

describe.each(Object.entries(packages))("%s", (_, { Transport, Server }) => {
  /** A client of one session, with plain requests. */
  async function connect() {
    const transport = new Transport({ sessionIdGenerator: randomUUID, enableJsonResponse: true });
    const server = new Server({ name: "greeter", version: "1" });
    server.registerTool("greet", {}, (context) => ({
      content: [{ type: "text", text: `hello from ${String(context.sessionId === transport.sessionId)}` }],
    }));
    await server.connect(transport);
    http = createServer((request, response) => void transport.handleRequest(request, response)).listen(0, "127.0.0.1");
    await once(http, "listening");
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const send = (message: object, headers: Readonly<Record<string, string>> = {}) =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      });
    return { transport, url, send };
  }

  const initialize = {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
  };

  test("serves a session until the client ends it", async () => {
    const { transport, url, send } = await connect();
    const early = await send({ id: 1, method: "tools/list" });
    expect(early.status).toBe(400);
    const started = await send(initialize);
    expect(await started.json()).toMatchObject({ id: 1, result: { protocolVersion: "2025-11-25" } });
    const session = started.headers.get("mcp-session-id") ?? "";
    expect(session).toBe(transport.sessionId);

    expect((await send({ method: "notifications/initialized" }, { "mcp-session-id": session })).status).toBe(202);
    const called = await send(
      { id: 2, method: "tools/call", params: { name: "greet", arguments: {} } },
      { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" },
    );
    expect(await called.json()).toMatchObject({ id: 2, result: { content: [{ text: "hello from true" }] } });
    expect((await send({ id: 3, method: "tools/list" }, { "mcp-session-id": "other" })).status).toBe(404);

    let isClosed = false;
    const { onclose } = transport;
    transport.onclose = () => {
      isClosed = true;
      onclose?.();
    };
    const ended = await fetch(url, { method: "DELETE", headers: { "mcp-session-id": session } });
    expect([ended.status, isClosed]).toEqual([200, true]);
  });
});
