/** The process of the attacked server: `node --expose-gc target.mjs`. */
import { heldBytes } from "../../../bench/shared/held-bytes.js";
import type { Endpoint } from "../../../runtime/src/http-server/endpoint.js";
import { serveHttp } from "../../../runtime/src/node.js";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { McpServer } from "../../../runtime/src/server.js";
import type { FromTarget, ToTarget } from "./target-messages.js";

const server = new McpServer(
  { name: "target", version: "1.0.0" },
  {
    capabilities: { logging: {} },
    backplane: new MemoryBackplane(),
    suspension: { ttlMs: 2_000 },
    onerror: () => undefined,
  },
);
server.registerTool("echo", {}, () => ({ content: [{ type: "text", text: "here" }] }));
server.registerTool("large", {}, () => ({ content: [{ type: "text", text: "x".repeat(2 ** 20) }] }));
server.registerTool("unprintable", {}, () => ({ content: [], structuredContent: { big: 1n } }));
server.registerTool("ask", {}, async (context) => {
  await context.elicit("word", {
    mode: "form",
    message: "A word",
    requestedSchema: { type: "object", properties: { word: { type: "string" } } },
  });
  return { content: [] };
});
server.registerTool("hang", {}, async (context) => {
  context.progress({ progress: 1 });
  await new Promise((resolve) => context.signal.addEventListener("abort", resolve, { once: true }));
  throw new Error("the call was cancelled");
});
server.registerTool("flood", {}, async (context) => {
  for (let at = 0; at < 2_000 && !context.signal.aborted; at++) {
    context.log("error", { at, text: "x".repeat(5_000) });
    if (at % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return { content: [] };
});

const served = await serveHttp(server, {
  resumption: { ttlMs: 1_000 },
  keepAliveMs: 1_000,
  sessions: { idleMs: 2_000 },
});

function tell(message: FromTarget): void {
  process.send?.(message);
}

process.on("message", (message: ToTarget) => {
  if (message.type === "close") void served.close().then(() => process.disconnect());
  else void state();
});
process.on("disconnect", () => process.exit(0));

async function state(): Promise<void> {
  const heapBytes = await heldBytes();
  const sockets = await new Promise<number>((resolve) => served.server.getConnections((_, count) => resolve(count)));
  const exchanges = (served.handler.endpoint as Endpoint).requestCount;
  tell({ type: "state", heapBytes, connections: server.server.connections.size, exchanges, sockets });
}

tell({ type: "ready", port: Number(served.url.port) });
