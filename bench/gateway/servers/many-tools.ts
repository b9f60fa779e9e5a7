import { McpServer } from "@mcpwright/runtime/server";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";

/** A server with tools whose names end with `first` and the numbers after it. */
export function serverWith(tools: number, first: number): McpServer {
  const server = new McpServer(info, { pageSize: tools });
  for (let at = first; at < first + tools; at++)
    server.registerTool(`book-${at}`, { description, inputSchema }, async (booking) => ({
      content: [{ type: "text", text: priceOf(booking) }],
    }));
  return server;
}
