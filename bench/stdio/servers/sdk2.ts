import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { description, info, inputSchema, priceOf, toolNames } from "./booking.js";

const server = new McpServer(info);
for (const name of toolNames())
  server.registerTool(name, { description, inputSchema }, async (booking) => ({
    content: [{ type: "text", text: priceOf(booking) }],
  }));
await server.connect(new StdioServerTransport());
