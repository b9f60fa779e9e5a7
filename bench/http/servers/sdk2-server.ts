import { McpServer } from "@modelcontextprotocol/server";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";

export function newServer(): McpServer {
  const server = new McpServer(info);
  server.registerTool("book", { description, inputSchema }, async (booking) => ({
    content: [{ type: "text", text: priceOf(booking) }],
  }));
  return server;
}
