import { getRequestListener } from "@hono/node-server";
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from "mcp-lite";
import { z } from "zod";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";
import { kind, listen } from "./form.js";

const server = new McpServer({ ...info, schemaAdapter: (schema) => z.toJSONSchema(schema as z.ZodType) });
server.tool("book", {
  description,
  inputSchema,
  handler: async (booking) => ({ content: [{ type: "text", text: priceOf(booking) }] }),
});
const transport = new StreamableHttpTransport(
  kind === "sessions" ? { sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1_024 }) } : {},
);
const handler = transport.bind(server);
listen(getRequestListener((request) => handler(request)));
