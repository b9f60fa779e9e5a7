import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { McpServer } from "../../../runtime/src/server.js";
import { createMcpHandler, type McpHttpHandler } from "../../../runtime/src/server/http.js";
import { initialize, R1 } from "./messages.js";

afterEach(() => vi.useRealTimers());

function startNode(backplane: MemoryBackplane): { server: McpServer; handler: McpHttpHandler } {
  const stateKeys = [{ id: "k", key: new Uint8Array(32).fill(7) }];
  const server = new McpServer({ name: "silent", version: "1.0.0" }, { backplane, stateKeys });
  const handler = createMcpHandler(server);
  onTestFinished(() => handler.close(0));
  return { server, handler };
}

test("the POST of an HTTP+SSE client gets 404 when the node of its stream does not respond for 15 seconds", async () => {
  const backplane = new MemoryBackplane();
  const [a, b] = [startNode(backplane), startNode(backplane)];
  const { body } = await a.handler.fetch(
    new Request("http://localhost/sse", { headers: { accept: "text/event-stream" } }),
  );
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  onTestFinished(() => reader.cancel());
  const path = /data: (.*)/.exec(new TextDecoder().decode((await reader.read()).value))?.[1];
  a.server.server.node?.end();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const append = vi.spyOn(backplane, "append");
  let status = 0;
  const headers = { "content-type": "application/json" };
  const request = new Request(`http://localhost${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(initialize(R1)),
  });
  void b.handler.fetch(request).then((response) => (status = response.status));
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  while (append.mock.calls.length === 0) await turn();
  await vi.advanceTimersByTimeAsync(14_999);
  await turn();
  expect(status).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  await turn();
  expect(status).toBe(404);
});
