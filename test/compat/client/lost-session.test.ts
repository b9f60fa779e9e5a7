import { Client, StreamableHTTPClientTransport } from "@mcpwright/compat/client";
import { McpServer } from "@mcpwright/runtime/server";
import { createMcpHandler } from "@mcpwright/runtime/server/http";
import { expect, it, onTestFinished } from "vitest";

function start() {
  const server = new McpServer({ name: "s", version: "1.0.0" });
  server.registerTool("echo", {}, () => ({ content: [{ type: "text", text: "echo" }] }));
  const handler = createMcpHandler(server);
  onTestFinished(() => handler.close(0));
  return handler;
}

it("opens a session anew that the server has dropped, and reads the responses of the new one", async () => {
  let handler = start();
  const client = new Client({ name: "c", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
  await client.connect(transport);
  const before = transport.sessionId;
  expect(before).toBeDefined();
  handler = start();
  const { tools } = await client.listTools({}, { timeout: 5_000 });
  expect(tools.map(({ name }) => name)).toEqual(["echo"]);
  expect(transport.sessionId).not.toBe(before);
});
