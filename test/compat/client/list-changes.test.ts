import { Client, InMemoryTransport } from "@mcpwright/compat/client";
import { McpServer } from "@mcpwright/compat/server";
import { expect, it, onTestFinished } from "vitest";

it.each([
  ["at once", 0],
  ["after a time", 5],
])("reports what the callback of a changed list throws, %s", async (_when, debounceMs) => {
  const server = new McpServer({ name: "s", version: "1" });
  const tool = server.registerTool("first", {}, () => ({ content: [] }));
  const onChanged = (): void => {
    throw new Error("the list is not shown");
  };
  const client = new Client(
    { name: "c", version: "1" },
    { listChanged: { tools: { onChanged, debounceMs } }, versionNegotiation: { mode: "legacy" } },
  );
  onTestFinished(() => client.close());
  const reported = new Promise((resolve) => (client.onerror = resolve));
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(other);
  await client.connect(one);
  tool.disable();
  expect(await reported).toMatchObject({ message: "the list is not shown" });
});
