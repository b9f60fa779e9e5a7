import { getRequestListener } from "@hono/node-server";
import { McpServer, serverPerClient } from "@mcpwright/runtime/server";
import { createMcpHandler } from "@mcpwright/runtime/server/http";
import { info } from "../../shared/booking.js";
import { listen, reply } from "../../http/servers/form.js";
import { newServer } from "./server.js";

/** Makes a server for each request, as `createMcpHandler` of the SDK does. */
const handler = createMcpHandler(serverPerClient(new McpServer(info), newServer), {
  sessions: false,
  responseMode: reply === "sse" ? "sse" : "auto",
});
listen(getRequestListener((request) => handler.fetch(request)));
