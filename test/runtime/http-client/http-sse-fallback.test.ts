import { expect, test } from "vitest";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { clientFor } from "./clients.js";
import { fakeServer, until } from "./fake-server.js";

test("an aborted search for the older transport closes its stream", async () => {
  const server = await fakeServer((seen, reply) => {
    if (seen.method === "GET") reply.events();
    else reply.status(405);
  });
  const { client, transport } = clientFor(server);
  const refused = expect(client.connect(transport)).rejects.toMatchObject({ code: "REQUEST_CANCELLED" });
  await until(() => server.of("GET").length === 1);
  await client.close();
  await refused;
  await until(() => server.dropped.length === 1);
});

test("two concurrent handshakes use one stream of the older transport", async () => {
  const server = await fakeServer((seen, reply) => {
    if (seen.method === "POST") return reply.status(seen.path === "/mcp" ? 405 : 202);
    reply.events().send({ event: "endpoint", data: `/${server.of("GET").length}` });
  });
  const transport = new StreamableHTTPClientTransport(server.url);
  await transport.start();
  await Promise.all([1, 2].map((id) => transport.send({ jsonrpc: "2.0", id, method: "initialize" })));
  await until(() => server.dropped.length === 1);
  const paths = server.seen.flatMap(({ path }) => (path === "/mcp" ? [] : [path]));
  expect([paths.length, new Set(paths).size]).toEqual([2, 1]);
  await transport.close();
  await until(() => server.dropped.length === 2);
});
