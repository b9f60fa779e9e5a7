import { expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { McpServer } from "../../../runtime/src/server.js";
import { clientOf, eras, errorOf, info, text } from "./pair.js";

test.each(eras)("%s: rejects a transport that is in use, and its connection continues", async (era) => {
  const server = new McpServer(info);
  server.registerTool("work", {}, () => text("done"));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const { client } = clientOf(era);
  await client.connect(near);

  expect(await errorOf(new Client(info).connect(near))).toMatchObject({ code: "ALREADY_CONNECTED" });
  expect(await errorOf(server.connect(far))).toMatchObject({ code: "ALREADY_CONNECTED" });
  expect(server.server.connections.size).toBe(1);
  expect(await client.callTool({ name: "work" })).toMatchObject(text("done"));
  await client.close();
});
