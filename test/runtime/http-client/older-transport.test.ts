import { expect, test } from "vitest";
import { clientFor } from "./clients.js";
import { fakeServer, until } from "./fake-server.js";

test("whoever stops looking for the older transport lets go of its stream", async () => {
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
