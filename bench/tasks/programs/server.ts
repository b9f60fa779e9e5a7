/** A server in this process whose tools run as plain calls or as tasks, without the cost of a client. */
import type { Transport } from "@mcpwright/runtime";
import { McpServer } from "@mcpwright/runtime/server";
import { type Reply, requestText } from "./requests.js";
import { MemoryTaskStore, tasks } from "@mcpwright/runtime/tasks";

/** Creates a server whose task store has room for `maxTasks`. */
export function createServer(maxTasks: number, ttlMs: number): McpServer {
  const store = new MemoryTaskStore({ maxTasks });
  const server = new McpServer({ name: "bench", version: "1.0.0" }, { extensions: [tasks({ store, ttlMs })] });
  const content = [{ type: "text" as const, text: "3" }];
  server.registerTool("plain", {}, () => ({ content }));
  server.registerTool("task", { task: "required" }, () => ({ content }));
  server.registerTool("waiting task", { task: "required" }, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { content };
  });
  return server;
}

/** Connects a server to this process. */
export async function connect(
  maxTasks: number,
  ttlMs: number,
): Promise<(method: string, params: object) => Promise<Reply>> {
  const waiting = new Map<number, (reply: Reply) => void>();
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send(message) {
      const reply = message as Reply;
      waiting.get(reply.id)?.(reply);
      waiting.delete(reply.id);
      return Promise.resolve();
    },
  };
  await createServer(maxTasks, ttlMs).connect(transport);
  let lastId = 0;
  return (method, params) =>
    new Promise((resolve) => {
      const id = ++lastId;
      waiting.set(id, resolve);
      // As it arrives: each message is parsed from text.
      transport.onmessage?.(JSON.parse(requestText(id, method, params)));
    });
}
