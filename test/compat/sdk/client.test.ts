import { Client as OriginalClient } from "@modelcontextprotocol/sdk/client/index.js";
import * as originalTypes from "@modelcontextprotocol/sdk/types.js";
import { Client as OwnClient } from "@mcpwright/compat/sdk/client/index.js";
import * as ownTypes from "@mcpwright/compat/sdk/types.js";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { original, own, type Sdk } from "./servers.js";

interface ClientSdk {
  readonly sdk: Sdk;
  readonly Client: typeof OriginalClient;
  readonly types: typeof originalTypes;
}

const sdks = {
  original: { sdk: original, Client: OriginalClient, types: originalTypes } as ClientSdk,
  own: { sdk: own, Client: OwnClient, types: ownTypes } as unknown as ClientSdk,
};

async function outcomesOf({ sdk, Client, types }: ClientSdk): Promise<unknown> {
  const server = new sdk.mcp.McpServer(
    { name: "server", version: "1.0.0" },
    { capabilities: { logging: {} }, instructions: "Use it." },
  );
  server.registerTool("sum", { inputSchema: { a: z.number() }, outputSchema: { b: z.number() } }, ({ a }) => ({
    content: [],
    structuredContent: { b: a + 1 },
  }));
  server.tool("ask", async () => {
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: "Hi" } }];
    const { model } = await server.server.createMessage({ messages, maxTokens: 5 });
    const { roots } = await server.server.listRoots();
    return { content: [{ type: "text", text: JSON.stringify([model, roots]) }] };
  });
  server.tool("progress", async ({ sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken ?? "none";
    await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } });
    return { content: [] };
  });
  server.tool(
    "slow",
    ({ signal }) => new Promise((_resolve, reject) => (signal.onabort = () => reject(new Error("a")))),
  );
  server.resource("one", "a://one", ({ href }) => ({ contents: [{ uri: href, text: "1" }] }));
  server.prompt("greet", { name: z.string() }, ({ name }) => ({
    messages: [{ role: "user", content: { type: "text", text: name } }],
  }));

  const client = new Client({ name: "client", version: "1.0.0" }, { capabilities: { sampling: {}, roots: {} } });
  client.setRequestHandler(types.CreateMessageRequestSchema, () => ({
    role: "assistant",
    model: "m",
    content: { type: "text", text: "Hello" },
  }));
  client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///a" }] }));
  const logs: unknown[] = [];
  client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => void logs.push(params));
  const outcomes: unknown[] = [];
  const record = async (call: () => Promise<unknown>): Promise<void> => {
    try {
      outcomes.push(await call());
    } catch (error) {
      const { name, message, code } = error as { name: string; message: string; code?: unknown };
      outcomes.push({ name, message, code });
    }
  };
  await record(() => client.ping());
  const [near, far] = sdk.inMemory.InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  outcomes.push(client.getServerCapabilities(), client.getServerVersion(), client.getInstructions());
  await record(() => client.ping());
  await record(async () => (await client.listTools()).tools.map(({ name }) => name));
  await record(() => client.callTool({ name: "sum", arguments: { a: 1 } }));
  await record(() => client.callTool({ name: "sum", arguments: { a: "x" } }));
  await record(() => client.callTool({ name: "none" }));
  await record(() => client.callTool({ name: "ask" }));
  const progress: unknown[] = [];
  await record(() => client.callTool({ name: "progress" }, undefined, { onprogress: (one) => progress.push(one) }));
  await record(() => client.callTool({ name: "slow" }, undefined, { timeout: 20 }));
  await record(() => client.callTool({ name: "slow" }, undefined, { signal: AbortSignal.abort(new Error("stopped")) }));
  await record(() => client.listResources());
  await record(() => client.readResource({ uri: "a://one" }));
  await record(() => client.readResource({ uri: "a://two" }));
  await record(() => client.listPrompts());
  await record(() => client.getPrompt({ name: "greet", arguments: { name: "Ada" } }));
  await record(() => client.getPrompt({ name: "greet" }));
  await record(() => client.request({ method: "no/method" }, z.object({})));
  await record(() => client.setLoggingLevel("warning"));
  await server.sendLoggingMessage({ level: "error", data: "log" });
  await record(() => client.ping());
  await client.close();
  await record(() => client.ping());
  return { outcomes, progress, logs };
}

describe("Client", () => {
  it("has the outcomes of the official SDK", async () => {
    expect(await outcomesOf(sdks.own)).toEqual(await outcomesOf(sdks.original));
  });
});
