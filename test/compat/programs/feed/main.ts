/** A feed with the package of version 1: HTTP+SSE and Streamable HTTP beside each other, behind the guards of fastify. */
import { randomUUID } from "node:crypto";
import { createMcpFastifyApp, hostHeaderValidation, originValidation } from "@modelcontextprotocol/fastify";
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ListToolsResultSchema, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { failure, see } from "../transcript.js";

function makeServer(): McpServer {
  const server = new McpServer({ name: "feed", version: "1.0.0" }, { capabilities: { logging: {} } });
  const shape = { topic: z.string(), most: z.number().int().default(1) };
  server.registerTool("news", { description: "News", inputSchema: shape }, async ({ topic, most }, extra) => {
    await server.sendLoggingMessage({ level: "info", data: topic }, extra.sessionId);
    const agent = extra.requestInfo?.headers["x-agent"];
    return { content: [{ type: "text", text: `${most} of ${topic} for ${String(agent)}` }] };
  });
  server.prompt("brief", { topic: z.string() }, ({ topic }) => ({
    messages: [{ role: "user", content: { type: "text", text: topic } }],
  }));
  return server;
}

const app = createMcpFastifyApp({ host: "127.0.0.1" });
const streams = new Map<string, SSEServerTransport>();
const sessions = new Map<string, StreamableHTTPServerTransport>();
app.get("/sse", async (_request, reply) => {
  reply.hijack();
  const transport = new SSEServerTransport("/messages", reply.raw);
  streams.set(transport.sessionId, transport);
  await makeServer().connect(transport);
});
app.post<{ Querystring: { sessionId: string } }>("/messages", async (request, reply) => {
  reply.hijack();
  await streams.get(request.query.sessionId)?.handlePostMessage(request.raw, reply.raw, request.body);
});
app.all("/mcp", async (request, reply) => {
  reply.hijack();
  const id = request.headers["mcp-session-id"];
  let transport = typeof id === "string" ? sessions.get(id) : undefined;
  if (!transport) {
    const opened = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (session) => void sessions.set(session, opened),
    });
    await makeServer().connect(opened);
    transport = opened;
  }
  await transport.handleRequest(request.raw, reply.raw, request.body);
});
const url = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));

const requestInit = { headers: { "x-agent": "reader" } };
for (const transport of [
  new SSEClientTransport(new URL("/sse", url), { requestInit }),
  new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }),
]) {
  const logs: unknown[] = [];
  const client = new Client({ name: "reader", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  client.setNotificationHandler("notifications/message", ({ params }) => void logs.push(params));
  await client.connect(transport);
  const listed = await client.listTools();
  see(
    "listed",
    listed.tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]),
  );
  see("schemas", [ListToolsResultSchema.safeParse(listed).success, ToolSchema.shape.name.safeParse(1).success]);
  see("news", await client.callTool({ name: "news", arguments: { topic: "tea" } }));
  see("invalid", await client.callTool({ name: "news", arguments: { topic: 1 } }));
  see("brief", await client.getPrompt({ name: "brief", arguments: { topic: "tea" } }));
  see("unknown", await client.getPrompt({ name: "none" }).catch(failure));
  await client.close();
}

const guarded = createMcpFastifyApp({ host: "127.0.0.1" });
guarded.addHook("onRequest", hostHeaderValidation(["127.0.0.1"]));
guarded.addHook("onRequest", originValidation(["feed.example"]));
guarded.get("/", () => "feed");
for (const headers of [
  { host: "127.0.0.1" },
  { host: "evil.example" },
  { host: "127.0.0.1", origin: "https://evil.example" },
])
  see("guarded", [headers, (await guarded.inject({ url: "/", headers })).statusCode]);
await app.close();
await guarded.close();
process.exit(0);
