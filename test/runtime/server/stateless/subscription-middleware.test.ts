import { expect, test, vi } from "vitest";
import { InMemoryTransport } from "../../../../runtime/src/index.js";
import { Client } from "../../../../runtime/src/client.js";
import { McpServer } from "../../../../runtime/src/server.js";

test.each([
  ["the client unsubscribes", (client: Client) => client.unsubscribeResource({ uri: "test://known" })],
  ["the client disconnects", (client: Client) => client.close()],
  ["the server closes", (_: Client, server: McpServer) => server.close(0)],
])("middleware continues at the end of a subscription when %s", async (_, end) => {
  const seen: string[] = [];
  const server = new McpServer(
    { name: "server", version: "1" },
    {
      middleware: [
        async ({ method }, next) => {
          if (method !== "subscriptions/listen") return next();
          seen.push("begins");
          try {
            return await next();
          } finally {
            seen.push("ends");
          }
        },
      ],
    },
  );
  server.registerResource("known", "test://known", {}, () => ({ contents: [] }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: "client", version: "1" });
  await client.connect(near);
  await client.subscribeResource({ uri: "test://known" }, () => undefined);
  expect(seen).toEqual(["begins"]);
  await end(client, server);
  await vi.waitFor(() => expect(seen).toEqual(["begins", "ends"]));
  await client.close();
});
