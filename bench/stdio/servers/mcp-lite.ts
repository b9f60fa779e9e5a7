import { McpServer } from "mcp-lite";
import { z } from "zod";
import { bridge } from "./mcp-lite-bridge.js";
import { description, info, inputSchema, priceOf, toolNames } from "./booking.js";

const server = new McpServer({ ...info, schemaAdapter: (schema) => z.toJSONSchema(schema as z.ZodType) });
for (const name of toolNames())
  server.tool(name, {
    description,
    inputSchema,
    handler: async (booking) => ({ content: [{ type: "text", text: priceOf(booking) }] }),
  });
bridge(server);
