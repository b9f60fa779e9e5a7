import { createMcpHandler } from "@mcpwright/runtime/server/http";
import { bridge } from "./bridge.js";
import { listen } from "./form.js";
import { options, server } from "./mcpwright-server.js";

const handler = createMcpHandler(server, options);
listen(bridge((request) => handler.fetch(request)));
