/** Clients and servers with extensions can be passed to functions that take any client or server. */
import { expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import type { Client as CoreClient } from "../../../runtime/src/client/core.js";
import { McpServer } from "../../../runtime/src/server.js";
import { tasks as serverTasks } from "../../../runtime/src/tasks.js";
import { tasks as clientTasks } from "../../../runtime/src/tasks/client.js";

const info = { name: "test", version: "1.0.0" };

test("a client, of both entries", () => {
  const client = new Client(info, { extensions: [clientTasks()] });
  const any: Client = client;
  const core: CoreClient = client;
  expect([any, core]).toEqual([client, client]);
});

test("a server", () => {
  const server = new McpServer(info, { extensions: [serverTasks()] });
  const any: McpServer = server;
  expect(any).toBe(server);
});
