import { getRequestListener } from "@hono/node-server";
import { createMcpHandler } from "@mcpwright/runtime/server/http";
import { kind, listen, reply } from "../../http/servers/form.js";
import { newServer } from "./server.js";

const handler = createMcpHandler(newServer(), {
  sessions: kind !== "no sessions",
  responseMode: reply === "sse" ? "sse" : "auto",
});
listen(getRequestListener((request) => handler.fetch(request)));
