import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";
import { kind, listen, reply } from "./form.js";

const enableJsonResponse = reply === "json";
const sessions = new Map<string, StreamableHTTPServerTransport>();

listen((request, response) => void (kind === "sessions" ? inSession : alone)(request, response));

async function inSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = request.headers["mcp-session-id"];
  const transport = typeof id === "string" ? sessions.get(id) : await newSession();
  await transport?.handleRequest(request, response);
}

async function newSession(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  // The SDK's optional members do not accept `undefined`.
  await newServer().connect(transport as Parameters<McpServer["connect"]>[0]);
  return transport;
}

/** As documented: a server and a transport per request. */
async function alone(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const server = newServer();
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse });
  response.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport as Parameters<McpServer["connect"]>[0]);
  await transport.handleRequest(request, response);
}

function newServer(): McpServer {
  const server = new McpServer(info);
  server.registerTool("book", { description, inputSchema: inputSchema.shape }, async (booking) => ({
    content: [{ type: "text", text: priceOf(booking) }],
  }));
  return server;
}
