import * as ours from "@mcpwright/compat/server";
import { expect, it } from "vitest";
import { makeServer } from "./program.js";

const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const message = {
  jsonrpc: "2.0" as const,
  id: 1,
  method: "tools/call",
  params: { name: "add", arguments: { a: 1 }, _meta },
};

it.each(["auto", "json", "sse"] as const)("serves one request, with the mode %s", async (responseMode) => {
  const transport = new ours.PerRequestHTTPServerTransport({
    classification: { era: "modern", revision: "2026-07-28" },
    responseMode,
  });
  await makeServer(ours).connect(transport);
  const response = await transport.handleMessage(message);
  const text = await response.text();
  expect(JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text)).toMatchObject({
    id: 1,
    result: { structuredContent: { sum: 2 }, resultType: "complete" },
  });
  expect(response.headers.get("content-type")).toBe(responseMode === "sse" ? "text/event-stream" : "application/json");
  await expect(transport.handleMessage(message)).rejects.toThrow("serves one message");
});

it("answers requests of the other era with an error that begins a handshake", async () => {
  const [client, end] = ours.InMemoryTransport.createLinkedPair();
  await makeServer(ours).connect(end);
  const answer = new Promise((resolve) => (client.onmessage = resolve));
  await client.start();
  await client.send({ jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta } });
  expect(await answer).toMatchObject({ id: 1, error: { code: -32601 } });
});

it("reports an error that it cannot send", async () => {
  const [client, end] = ours.InMemoryTransport.createLinkedPair();
  const server = makeServer(ours);
  const reported = new Promise((resolve) => (server.server.onerror = resolve));
  await server.connect(end);
  end.send = () => Promise.reject(new Error("the client is gone"));
  await client.send({ jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta } });
  expect(await reported).toMatchObject({ message: "the client is gone" });
});
