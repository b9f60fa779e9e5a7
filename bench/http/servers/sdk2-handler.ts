import { getRequestListener } from "@hono/node-server";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { listen, reply } from "./form.js";
import { newServer } from "./sdk2-server.js";

const handler = createMcpHandler(newServer, { responseMode: reply === "sse" ? "sse" : "auto" });
listen(getRequestListener((request) => handler.fetch(request)));
