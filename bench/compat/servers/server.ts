import { McpServer } from "@mcpwright/runtime/server";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";

/** The program of the SDKs, in our native API. */
export function newServer(): McpServer {
  const server = new McpServer(info);
  server.registerTool("book", { description, inputSchema }, async (booking) => ({
    content: [{ type: "text", text: priceOf(booking) }],
  }));
  return server;
}
