/** A server on stdio. Argument: its only revision; default: it has all. */
import { conversions } from "@mcpwright/protocol/conversions";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { McpServer } from "@mcpwright/runtime/server/core";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";

const [, , revision] = process.argv;
const sides = revision ? serverSides.filter((side) => side.revision === revision) : serverSides;
const server = new McpServer(info, { revisions: sides, conversions });
server.registerTool("book", { description, inputSchema }, async (booking) => ({
  content: [{ type: "text", text: priceOf(booking) }],
}));
serveStdio(server);
