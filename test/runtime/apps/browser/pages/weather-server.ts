import type { Transport } from "@mcpwright/runtime";
import { McpServer } from "@mcpwright/runtime/server";

/** Connects a server with a tool for everybody, one for apps, one for the model alone, and one that never ends. */
export async function connectServer(transport: Transport, events: unknown[]): Promise<void> {
  const server = new McpServer({ name: "weather", version: "1.0.0" });
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  server.registerTool("now", {}, () => text("sunny"));
  server.registerTool("refresh", { _meta: { ui: { visibility: ["app"] } } }, () => text("refreshed"));
  server.registerTool("delete", { _meta: { ui: { visibility: ["model"] } } }, () => {
    events.push(["deleted"]);
    return text("deleted");
  });
  server.registerTool("wait", {}, async (context) => {
    await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
    events.push(["aborted"]);
    return text("late");
  });
  server.registerResource("note", "file:///note", {}, ({ href }) => ({ contents: [{ uri: href, text: "a note" }] }));
  await server.connect(transport);
}
