/** A server that reports its heap size. Run it with `node --expose-gc`. */
import { McpServer } from "@mcpwright/runtime/server";
import { serveHttp } from "@mcpwright/runtime/node";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";
import { heldBytes } from "../../shared/held-bytes.js";
import { host, reply, tellPort } from "../servers/form.js";

const [, , , , idleMs = ""] = process.argv;
const server = new McpServer(info);
server.registerTool("book", { description, inputSchema }, async (booking) => ({
  content: [{ type: "text", text: priceOf(booking) }],
}));
/** Sends a notification and continues, although no client reads the rest. */
server.registerTool("work", {}, async (context) => {
  context.progress({ progress: 1 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  return { content: [{ type: "text", text: "done" }] };
});
/** Sends a notification and waits until the call is cancelled. */
server.registerTool("hang", {}, async (context) => {
  context.progress({ progress: 1 });
  await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
  throw new Error("the call was cancelled");
});

const served = await serveHttp(server, {
  host,
  sessions: { idleMs: Number(idleMs), max: 200_000 },
  maxStreams: 20_000,
  maxRequests: 20_000,
  responseMode: reply === "sse" ? "sse" : "auto",
});
process.on("message", () => {
  void heldBytes().then((bytes) => process.send?.(bytes));
});
tellPort(Number(served.url.port));
