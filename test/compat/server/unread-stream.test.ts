import { McpServer, WebStandardStreamableHTTPServerTransport } from "@mcpwright/compat/server";
import { expect, it, onTestFinished } from "vitest";

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const session = { "mcp-session-id": "s", "mcp-protocol-version": "2025-11-25" };

function post(message: object, further: object = {}): Request {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return new Request("http://localhost/mcp", { method: "POST", headers: { ...headers, ...further }, body });
}

it("ends the stream of a client that does not read it, which can open another", async () => {
  const server = new McpServer({ name: "s", version: "1" }, { capabilities: { logging: {} } });
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => "s" });
  await server.connect(transport);
  onTestFinished(() => server.close());
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  await (await transport.handleRequest(post({ id: 1, method: "initialize", params }))).text();
  await transport.handleRequest(post({ method: "notifications/initialized" }, session));
  const open = (): Promise<Response> =>
    transport.handleRequest(new Request("http://localhost/mcp", { headers: { ...headers, ...session } }));
  const unread = await open();
  for (let sent = 0; sent < 20; sent++)
    await server.server.sendLoggingMessage({ level: "info", data: "x".repeat(1024 * 1024) });
  await expect(unread.text()).rejects.toThrow("does not read its stream");
  const next = await open();
  expect(next.status).toBe(200);
  await next.body?.cancel();
});
