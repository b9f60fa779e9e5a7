import { McpServer } from "mcp-lite";
import { bridge } from "./mcp-lite-bridge.js";

const server = new McpServer({ name: "bench", version: "1.0.0" });
server.tool("greet", {
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  handler: async ({ name }: { name: string }) => ({ content: [{ type: "text", text: `Hello, ${name}` }] }),
});
bridge(server);
