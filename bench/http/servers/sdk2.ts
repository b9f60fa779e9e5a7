import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { kind, listen, reply } from "./form.js";
import { newServer } from "./sdk2-server.js";

const enableJsonResponse = reply === "json";
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

listen(
  getRequestListener((request, { outgoing }) =>
    kind === "sessions" ? inSession(request) : alone(request, outgoing as ServerResponse),
  ),
);

async function inSession(request: Request): Promise<Response> {
  const id = request.headers.get("mcp-session-id");
  const transport = id === null ? await newSession() : sessions.get(id);
  return transport?.handleRequest(request) ?? new Response(null, { status: 404 });
}

async function newSession(): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await newServer().connect(transport);
  return transport;
}

/** Creates a server and a transport per request, as `createMcpHandler` does for these revisions (but always with SSE). */
async function alone(request: Request, outgoing: ServerResponse): Promise<Response> {
  const server = newServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse });
  outgoing.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  return transport.handleRequest(request);
}
