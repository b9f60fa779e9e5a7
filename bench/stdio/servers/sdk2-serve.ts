import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { description, info, inputSchema, priceOf, toolNames } from "./booking.js";

serveStdio(() => {
  const server = new McpServer(info);
  for (const name of toolNames())
    server.registerTool(name, { description, inputSchema }, async (booking) => ({
      content: [{ type: "text", text: priceOf(booking) }],
    }));
  return server;
});
