import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { StdioTransport } from "@tmcp/transport-stdio";
import { McpServer } from "tmcp";
import { description, info, inputSchema, priceOf, toolNames } from "./booking.js";

const server = new McpServer(
  { ...info, description: "A server to measure" },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } },
);
for (const name of toolNames())
  server.tool({ name, description, schema: inputSchema }, async (booking) => ({
    content: [{ type: "text" as const, text: priceOf(booking) }],
  }));
new StdioTransport(server).listen();
