import { getRequestListener } from "@hono/node-server";
import { createMcpHandler } from "@mcpwright/runtime/server/http";
import { listen } from "./form.js";
import { options, server } from "./mcpwright-server.js";

const handler = createMcpHandler(server, options);
listen(getRequestListener((request) => handler.fetch(request)));
