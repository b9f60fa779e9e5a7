/** A server that reports its heap size. Run it with `node --expose-gc`. */
import { McpServer } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";
import { heldBytes } from "../../shared/held-bytes.js";

const server = new McpServer(info, { suspension: { max: 20_000, ttlMs: 1_000 } });
server.registerTool("book", { description, inputSchema }, async (booking) => ({
  content: [{ type: "text", text: priceOf(booking) }],
}));
server.registerTool("hang", {}, async ({ signal }) => {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  throw new Error("the call was cancelled");
});
server.registerTool("ask", {}, async (context) => {
  const { action } = await context.elicit("name", {
    message: "What is your name?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } } },
  });
  return { content: [{ type: "text", text: action }] };
});
server.registerTool("held", {}, async () => ({ content: [{ type: "text", text: String(await heldBytes()) }] }));
serveStdio(server);
