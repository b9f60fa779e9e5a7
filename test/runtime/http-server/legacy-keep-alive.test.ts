import { expect, onTestFinished, test } from "vitest";
import { McpServer } from "../../../runtime/src/server.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";

test("writes repeated comments to an idle HTTP+SSE stream", async () => {
  const handler = createMcpHandler(new McpServer({ name: "server", version: "1.0.0" }), { keepAliveMs: 20 });
  onTestFinished(() => handler.close(0));
  const { body } = await handler.fetch(
    new Request("http://localhost/mcp", { headers: { accept: "text/event-stream" } }),
  );
  const reader = body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  onTestFinished(() => reader.cancel());
  const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  expect(await read()).toMatch(/^event: endpoint\n/);
  expect([await read(), await read(), await read()]).toEqual([":\n\n", ":\n\n", ":\n\n"]);
});
