/** A server in this process whose tools run as plain calls or as tasks, without the cost of a client. */
import type { Transport } from "@mcpwright/runtime";
import { McpServer } from "@mcpwright/runtime/server";
import { MemoryTaskStore, tasks } from "@mcpwright/runtime/tasks";

export interface Reply {
  readonly id: number;
  readonly error?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
}

const version = "2026-07-28";
const _meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

/** Connects a server whose task store has room for `maxTasks`. */
export async function connect(
  maxTasks: number,
  ttlMs: number,
): Promise<(method: string, params: object) => Promise<Reply>> {
  const store = new MemoryTaskStore({ maxTasks });
  const server = new McpServer({ name: "bench", version: "1.0.0" }, { extensions: [tasks({ store, ttlMs })] });
  const content = [{ type: "text" as const, text: "3" }];
  server.registerTool("plain", {}, () => ({ content }));
  server.registerTool("task", { task: "required" }, () => ({ content }));
  server.registerTool("waiting task", { task: "required" }, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { content };
  });
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
  await server.connect(transport);
  let lastId = 0;
  return (method, params) =>
    new Promise((resolve) => {
      const id = ++lastId;
      waiting.set(id, resolve);
      // As it arrives: each message is parsed from text.
      const text = JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } });
      transport.onmessage?.(JSON.parse(text));
    });
}
