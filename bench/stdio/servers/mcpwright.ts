import { McpServer } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { description, info, inputSchema, priceOf, toolNames } from "./booking.js";

let traced = 0;
const server = new McpServer(info, {
  middleware: [(_call, next) => next()],
  trace: () => traced++,
});
for (const name of toolNames())
  server.registerTool(name, { description, inputSchema }, async (booking) => ({
    content: [{ type: "text", text: priceOf(booking) }],
  }));
serveStdio(server);
