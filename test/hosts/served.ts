import { McpServer, type ServerContext } from "@mcpwright/runtime/server";
import { MemoryBackplane } from "@mcpwright/runtime/backplane";
import { tasks } from "@mcpwright/runtime/tasks";
import { createMcpHandler, type McpHandlerOptions } from "@mcpwright/runtime/server/http";
import { issueToken, protectedServed } from "./protected.js";
import { protectedPath, tokenPath } from "./protected-paths.js";

/** The options on all hosts. Waits are short, so that each of them ends within a test. */
export const servedOptions = {
  keepAliveMs: 200,
  retryInterval: 20,
} satisfies McpHandlerOptions;

/** A schema that accepts any arguments. */
const anything = {
  validate: (value: unknown) => ({ value: value as Readonly<Record<string, unknown>> }),
  jsonSchema: { type: "object" },
};

const said = (value: unknown): { content: [{ type: "text"; text: string }] } => ({
  content: [{ type: "text", text: JSON.stringify(value ?? null) }],
});

/** The server that all hosts serve. It uses only web APIs, and none of them before the first request. */
export function served(): McpServer {
  /** The states of the calls of `wait`, by key. */
  const fates = new Map<string, string>();
  const server = new McpServer(
    { name: "hosts", version: "1.0.0" },
    {
      capabilities: { logging: {}, resources: { subscribe: true } },
      backplane: new MemoryBackplane(),
      extensions: [tasks()],
    },
  );
  const tool = (
    name: string,
    run: (args: Readonly<Record<string, unknown>>, context: ServerContext) => unknown,
  ): void =>
    void server.registerTool(name, { inputSchema: anything }, async (args, context) => said(await run(args, context)));

  tool("echo", ({ value }) => value);
  tool("log", ({ count }, context) => {
    for (let at = 0; at < (count as number); at++) context.log("info", at);
  });
  tool("log-slowly", async ({ count }, context) => {
    for (let at = 0; at < (count as number); at++) {
      context.log("info", at);
      await sleep(5);
    }
  });
  tool("progress", (_, context) => {
    context.progress({ progress: 1, total: 2, message: "half" });
    context.progress({ progress: 2, total: 2, message: "all" });
  });
  tool("ask", async (_, context) => {
    const requestedSchema = { type: "object" as const, properties: { name: { type: "string" as const } } };
    return context.elicit("name", { mode: "form", message: "Who are you?", requestedSchema });
  });
  tool("wait", async ({ key }, context) => {
    fates.set(key as string, "waiting");
    context.log("info", "waiting");
    await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
    fates.set(key as string, "aborted");
  });
  tool("fate", ({ key }) => fates.get(key as string));
  tool("change", () => {
    server.sendToolListChanged();
    server.sendResourceUpdated({ uri: "test://resource" });
  });
  tool("hang-up", (_, { connection }) => connection.close());
  server.registerResource("resource", "test://resource", {}, () => ({ contents: [] }));
  return server;
}

/** Serves it, and the protected server with its issuer, as a fetch handler. */
export function servedByFetch(): { readonly fetch: (request: Request) => Promise<Response> } {
  const open = createMcpHandler(served(), servedOptions);
  const guarded = protectedServed();
  return {
    fetch(request) {
      const url = new URL(request.url);
      if (url.pathname === tokenPath) return issueToken(url);
      return (url.pathname === protectedPath ? guarded : open).fetch(request);
    },
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
