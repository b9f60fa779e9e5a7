/** Exports of a library without explicit types: compilers must name the inferred types in its declarations. */
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { McpServer } from "@mcpwright/runtime/server";
import { createMcpHandler } from "@mcpwright/runtime/server/http";
import { z } from "zod";

export const server = new McpServer({ name: "shop", version: "1.0.0" });
export const order = server.registerTool(
  "order",
  { inputSchema: z.object({ article: z.string() }) },
  ({ article }) => ({
    content: [{ type: "text", text: article }],
  }),
);
export const handler = createMcpHandler(server);

export const client = new Client({ name: "buyer", version: "1.0.0" });
export const transport = new StreamableHTTPClientTransport(new URL("https://example.com/mcp"));
export const capabilities = () => client.getServerCapabilities();
export const tools = async () => (await client.listTools()).tools;
export const call = () => client.callTool({ name: "order" });
export const openEnded = () => client.callTool({ name: "order" }, { allowInputRequired: true });
export const firstBlock = async () => (await call()).content[0];
export const resource = (uri: string) => client.readResource({ uri });
export const prompt = (name: string) => client.getPrompt({ name });
