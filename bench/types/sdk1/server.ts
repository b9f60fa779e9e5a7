import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "shop", version: "1.0.0" });

server.registerTool(
  "add",
  { description: "Adds", inputSchema: { a: z.number(), b: z.number() } },
  async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
);
server.registerTool(
  "order",
  {
    description: "Orders",
    inputSchema: { article: z.string(), pieces: z.number().int(), gift: z.boolean().optional() },
  },
  async ({ article, pieces, gift }) => ({
    content: [{ type: "text", text: `${pieces} x ${article}${gift ? ", wrapped" : ""}` }],
  }),
);
server.registerResource("hours", "shop://hours", { mimeType: "text/plain" }, async ({ href }) => ({
  contents: [{ uri: href, text: "9 to 5" }],
}));
server.registerPrompt("greet", { description: "Greets", argsSchema: { name: z.string() } }, async ({ name }) => ({
  messages: [{ role: "user", content: { type: "text", text: `Hello, ${name}` } }],
}));

await server.connect(new StdioServerTransport());
