import { expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { McpServer, type ServerContext } from "../../../runtime/src/server.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { connect, info } from "../api/pair.js";

function telling(): McpServer {
  const server = new McpServer(info);
  const tell = ({ session }: ServerContext): string => JSON.stringify(session ? { id: session.id } : "none");
  server.registerTool("tell", {}, (context) => ({ content: [{ type: "text", text: tell(context) }] }));
  return server;
}

test.each([
  ["handshake", (id: string | undefined) => ({ id })],
  ["stateless", () => "none"],
] as const)("over HTTP, the id of a session of the %s era", async (era, expected) => {
  const handler = createMcpHandler(telling());
  const transport = new StreamableHTTPClientTransport("http://localhost/mcp", {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
  const client = new Client(info);
  await client.connect(transport, { era });
  const { content } = await client.callTool({ name: "tell" });
  expect(transport.sessionId !== undefined).toBe(era === "handshake");
  expect(content).toMatchObject([{ text: JSON.stringify(expected(transport.sessionId)) }]);
  await client.close();
  await handler.close();
});

test("over other transports, sessions have no id", async () => {
  const { client } = await connect(telling(), "2025-11-25");
  expect((await client.callTool({ name: "tell" })).content).toMatchObject([{ text: "{}" }]);
});
