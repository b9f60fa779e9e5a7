import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { description, info, inputSchema, priceOf, toolNames } from "./booking.js";

const server = new McpServer(info);
for (const name of toolNames())
  server.registerTool(name, { description, inputSchema: inputSchema.shape }, async (booking) => ({
    content: [{ type: "text", text: priceOf(booking) }],
  }));
await server.connect(new StdioServerTransport());
