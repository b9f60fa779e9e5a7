/** Mistakes that a compiler must report: if it does not, it reports the unused comment above the mistake. */
import { Client } from "@mcpwright/runtime/client";
import { McpServer } from "@mcpwright/runtime/server";
import { serverSide } from "@mcpwright/protocol/2025-11-25";
import { isTool, type ContentBlock, type Tool } from "@mcpwright/protocol/2025-11-25";
import { z } from "zod";

const server = new McpServer({ name: "shop", version: "1.0.0" });
const inputSchema = z.object({ article: z.string(), pieces: z.number().optional() });
const text = (value: string): { content: ContentBlock[] } => ({ content: [{ type: "text", text: value }] });

server.registerTool("order", { inputSchema }, ({ article }) => text(article.toUpperCase()));
// @ts-expect-error -- the input does not have this member
server.registerTool("order", { inputSchema }, ({ colour }) => text(String(colour)));
// @ts-expect-error -- the member is optional
server.registerTool("order", { inputSchema }, ({ pieces }) => text(pieces.toFixed()));
// @ts-expect-error -- a tool's result is not a string
server.registerTool("order", { inputSchema }, ({ article }) => article);
server.registerTool("order", { inputSchema }, () => ({
  // @ts-expect-error -- `text` is required in a text block
  content: [{ type: "text", data: "" }],
}));
server.registerTool("count", { outputSchema: z.object({ total: z.number() }) }, () => ({
  // @ts-expect-error -- the output schema requires a number
  structuredContent: { total: "one" },
}));
// @ts-expect-error -- `version` is required
export const nameless = new McpServer({ name: "shop" });

const client = new Client({ name: "buyer", version: "1.0.0" });
export async function total(): Promise<number> {
  const { tools } = await client.listTools();
  // @ts-expect-error -- a name is not a number
  await client.callTool({ name: tools.length });
  // @ts-expect-error -- `name` is required
  await client.callTool({ arguments: {} });
  return tools.length;
}

const older = new McpServer({ name: "shop", version: "1.0.0" }, { revisions: [serverSide] });
older.server.handle({ "tools/call": ({ task }) => text(String(task?.ttl)) });
// @ts-expect-error -- the revision does not have this method
older.server.handle({ "server/discover": () => ({}) });
// @ts-expect-error -- the revision does not have this method
export const discovered = (): unknown => client.request("initialize");

// @ts-expect-error -- `inputSchema` is required
export const tool: Tool = { name: "order" };
export const known = (value: unknown): string | undefined => (isTool(value) ? value.name : undefined);
// @ts-expect-error -- the value has not been validated
export const unknown = (value: unknown): Tool => value;
