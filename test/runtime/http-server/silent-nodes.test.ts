import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { McpServer } from "../../../runtime/src/server.js";
import { createMcpHandler, type McpHttpHandler } from "../../../runtime/src/server/http.js";
import { initialize, R1 } from "./messages.js";

afterEach(() => vi.useRealTimers());

function startNode(backplane: MemoryBackplane): { server: McpServer; handler: McpHttpHandler } {
  const stateKeys = [{ id: "k", key: new Uint8Array(32).fill(7) }];
  const onerror = (): void => undefined;
  const server = new McpServer({ name: "silent", version: "1.0.0" }, { backplane, stateKeys, onerror });
  const handler = createMcpHandler(server);
  onTestFinished(() => handler.close(0));
  return { server, handler };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Posts to a stream whose node does not respond; timers go on only when a test says so. */
async function postInVain(
  backplane: MemoryBackplane,
): Promise<{ readonly status: () => number; readonly node: string }> {
  const [a, b] = [startNode(backplane), startNode(backplane)];
  const { body } = await a.handler.fetch(
    new Request("http://localhost/sse", { headers: { accept: "text/event-stream" } }),
  );
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  onTestFinished(() => reader.cancel());
  const path = /data: (.*)/.exec(new TextDecoder().decode((await reader.read()).value))?.[1];
  const { node } = a.server.server;
  node?.end();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const append = vi.spyOn(backplane, "append");
  let status = 0;
  const headers = { "content-type": "application/json" };
  const request = new Request(`http://localhost${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(initialize(R1)),
  });
  void b.handler.fetch(request).then((response) => (status = response.status));
  while (append.mock.calls.length === 0) await turn();
  return { status: () => status, node: node?.id ?? "" };
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await turn();
}

test("the POST of an HTTP+SSE client gets 404 when the node of its stream does not respond for 15 seconds", async () => {
  const { status } = await postInVain(new MemoryBackplane());
  await pass(14_999);
  expect(status()).toBe(0);
  await pass(1);
  expect(status()).toBe(404);
});

test("it gets 404 after two seconds when other nodes know that the node of its stream is dead", async () => {
  const backplane = new MemoryBackplane();
  const { status, node } = await postInVain(backplane);
  expect(backplane.delete(`node:${node}`)).toBe(true);
  await pass(1_999);
  expect(status()).toBe(0);
  await pass(1);
  expect(status()).toBe(404);
});

test("it waits while the backplane fails", async () => {
  const backplane = new MemoryBackplane();
  const { status } = await postInVain(backplane);
  const failing = vi.spyOn(backplane, "get").mockImplementation(() => {
    throw new Error("the backplane is gone");
  });
  await pass(14_999);
  expect(failing).toHaveBeenCalledTimes(7);
  expect(status()).toBe(0);
  await pass(1);
  expect(status()).toBe(404);
});
