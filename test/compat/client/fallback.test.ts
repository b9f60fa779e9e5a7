import { Client, InMemoryTransport } from "@mcpwright/compat/client";
import { McpServer } from "@mcpwright/compat/server";
import { expect, it } from "vitest";

it("reports a response of the fallback handler that it cannot send", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  const client = new Client({ name: "c", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  client.fallbackRequestHandler = () => Promise.resolve({});
  const reported = new Promise((resolve) => (client.onerror = resolve));
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(other);
  await client.connect(one);
  one.send = () => Promise.reject(new Error("the server is gone"));
  await other.send({ jsonrpc: "2.0", id: 7, method: "example/unknown" });
  expect(await reported).toMatchObject({ message: "the server is gone" });
});
