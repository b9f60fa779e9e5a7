/** What a compiler has to find: where it does not, the comment above is what it complains about. */
import { Client } from "@mcpwright/runtime/client";
import { McpServer } from "@mcpwright/runtime/server";
import { isTool, type ContentBlock, type Tool } from "@mcpwright/protocol/2025-11-25";
import { z } from "zod";

const server = new McpServer({ name: "shop", version: "1.0.0" });
const inputSchema = z.object({ article: z.string(), pieces: z.number().optional() });
const text = (value: string): { content: ContentBlock[] } => ({ content: [{ type: "text", text: value }] });

server.registerTool("order", { inputSchema }, ({ article }) => text(article.toUpperCase()));
// @ts-expect-error -- the input has no such member
server.registerTool("order", { inputSchema }, ({ colour }) => text(String(colour)));
// @ts-expect-error -- the member may be missing
server.registerTool("order", { inputSchema }, ({ pieces }) => text(pieces.toFixed()));
// @ts-expect-error -- a tool's result is no text
server.registerTool("order", { inputSchema }, ({ article }) => article);
server.registerTool("order", { inputSchema }, () => ({
  // @ts-expect-error -- a block of text has a text
  content: [{ type: "text", data: "" }],
}));
server.registerTool("count", { outputSchema: z.object({ total: z.number() }) }, () => ({
  // @ts-expect-error -- the output schema says otherwise
  structuredContent: { total: "one" },
}));
// @ts-expect-error -- a server has a version
export const nameless = new McpServer({ name: "shop" });

const client = new Client({ name: "buyer", version: "1.0.0" });
export async function total(): Promise<number> {
  const { tools } = await client.listTools();
  // @ts-expect-error -- a name is no number
  await client.callTool({ name: tools.length });
  // @ts-expect-error -- a tool is called by its name
  await client.callTool({ arguments: {} });
  return tools.length;
}

// @ts-expect-error -- a tool has an input schema
export const tool: Tool = { name: "order" };
export const known = (value: unknown): string | undefined => (isTool(value) ? value.name : undefined);
// @ts-expect-error -- nobody has looked at it yet
export const unknown = (value: unknown): Tool => value;
