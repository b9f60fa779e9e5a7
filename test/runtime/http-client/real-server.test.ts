import { clientSides } from "@mcpwright/protocol/client-sides";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { Client } from "../../../runtime/src/client.js";
import { SSEClientTransport, StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { type HttpServerHandle, serveHttp, type ServeHttpOptions } from "../../../runtime/src/node.js";
import { McpServer } from "../../../runtime/src/server.js";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { quick } from "./clients.js";
import { until } from "./fake-server.js";

const revisions = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const asking = ["2025-06-18", "2025-11-25", "2026-07-28"];

/** These are closed before their server. */
const clients: Client[] = [];

function makeServer(): McpServer {
  const server = new McpServer(
    { name: "real", version: "1" },
    { capabilities: { resources: { subscribe: true } }, backplane: new MemoryBackplane() },
  );
  server.registerTool("add", { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
  }));
  server.registerTool("slow", {}, async (ctx) => {
    for (let progress = 1; progress <= 3; progress++) {
      ctx.progress({ progress });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return { content: [{ type: "text", text: "done" }] };
  });
  server.registerTool("park", {}, async (ctx) => {
    ctx.progress({ progress: 1 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    ctx.http?.closeSSE?.(20);
    await new Promise((resolve) => setTimeout(resolve, 10));
    ctx.progress({ progress: 2 });
    return { content: [{ type: "text", text: "parked" }] };
  });
  server.registerTool("ask", {}, async (ctx) => {
    const answer = await ctx.elicit("name", {
      message: "name?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    });
    return { content: [{ type: "text", text: JSON.stringify(answer.action === "accept" && answer.content) }] };
  });
  server.registerTool(
    "hang",
    {},
    (ctx) =>
      new Promise((_resolve, reject) => {
        ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason as Error));
      }),
  );
  server.registerTool(
    "mirrored",
    {
      inputSchema: z.object({
        region: z.string().meta({ "x-mcp-header": "Region" }).optional(),
        count: z.int().meta({ "x-mcp-header": "Count" }).optional(),
      }),
    },
    (args) => ({ content: [{ type: "text", text: JSON.stringify(args) }] }),
  );
  server.registerResource("r", "file:///r", {}, () => ({ contents: [{ uri: "file:///r", text: "r" }] }));
  return server;
}

async function serving(
  options: ServeHttpOptions = {},
  server = makeServer(),
): Promise<{ server: McpServer; served: HttpServerHandle }> {
  const served = await serveHttp(server, { graceMs: 100, ...options });
  onTestFinished(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await end(served);
  });
  return { server, served };
}

/** Does not wait for idle connections of Node's client. */
async function end(served: HttpServerHandle): Promise<void> {
  const cut = setInterval(() => served.server.closeAllConnections(), 5);
  await served.close();
  clearInterval(cut);
}

async function clientOf(served: HttpServerHandle, revision: string) {
  const errors: Error[] = [];
  const client = new Client(
    { name: "c", version: "1" },
    {
      revisions: clientSides.filter((side) => side.revision === revision),
      capabilities: { elicitation: {} },
      onerror: (error) => void errors.push(error),
    },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
  const transport = new StreamableHTTPClientTransport(served.url, { reconnectionOptions: quick });
  await client.connect(transport);
  clients.push(client);
  return { client, transport, errors };
}

const text = (result: { content: unknown }): string => (result.content as { text: string }[])[0]?.text ?? "";

describe.each([
  ["as the server likes", {}],
  ["by streams", { responseMode: "sse" }],
  ["by JSON", { responseMode: "json" }],
  ["without sessions", { sessions: false }],
] as const)("responses %s", (_name, options) => {
  test.each(revisions)("%s: calls, lists, errors", async (revision) => {
    const { served } = await serving(options);
    const { client, errors } = await clientOf(served, revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await client.listTools()).tools).toHaveLength(6);
    const sums = await Promise.all(
      Array.from({ length: 20 }, (_one, a) => client.callTool({ name: "add", arguments: { a, b: 1 } })),
    );
    expect(sums.map(text)).toEqual(sums.map((_one, a) => String(a + 1)));
    await expect(client.callTool({ name: "nothing" })).rejects.toMatchObject({ code: -32602 });
    expect(await client.isAlive()).toBe(true);
    expect(errors).toEqual([]);
  });
});

describe("a session", () => {
  test.each(revisions)("%s: progress arrives before the response", async (revision) => {
    const { served } = await serving();
    const { client } = await clientOf(served, revision);
    const heard: number[] = [];
    expect(text(await client.callTool({ name: "slow" }, { onProgress: ({ progress }) => heard.push(progress) }))).toBe(
      "done",
    );
    expect(heard.length).toBeGreaterThan(0);
    expect(heard).toEqual([...heard].sort());
  });

  test.each(asking)("%s: the server requests input during a call", async (revision) => {
    const { served } = await serving();
    const { client } = await clientOf(served, revision);
    expect(text(await client.callTool({ name: "ask" }))).toBe('{"name":"Ada"}');
  });

  test.each(revisions)("%s: changes are reported", async (revision) => {
    const { server, served } = await serving();
    const { client } = await clientOf(served, revision);
    let changes = 0;
    const updates: string[] = [];
    client.onChanged("tools", () => changes++);
    expect(await client.subscribeResource({ uri: "file:///r" }, (uri) => updates.push(uri))).toBe(true);
    await until(() => {
      // The stream for them may not be open yet.
      if (changes === 0) server.registerTool(`new-${Math.random()}`, {}, () => ({ content: [] }));
      if (updates.length === 0) server.sendResourceUpdated({ uri: "file:///r" });
      return changes > 0 && updates.length > 0;
    });
    expect(updates[0]).toBe("file:///r");
  });

  test.each(revisions)("%s: a cancelled call ends at the server", async (revision) => {
    const { served } = await serving();
    const { client } = await clientOf(served, revision);
    await expect(client.callTool({ name: "hang" }, { timeoutMs: 50 })).rejects.toMatchObject({
      code: "REQUEST_TIMEOUT",
    });
    expect(text(await client.callTool({ name: "add", arguments: { a: 1, b: 1 } }))).toBe("2");
  });

  test("a parked call is resumed", async () => {
    const { served } = await serving();
    const { client, errors } = await clientOf(served, "2025-11-25");
    const heard: number[] = [];
    const call = client.callTool({ name: "park" }, { onProgress: ({ progress }) => heard.push(progress) });
    expect(text(await call)).toBe("parked");
    expect(heard).toEqual([1, 2]);
    expect(errors).toEqual([]);
  });

  test("ends at the server when the client closes", async () => {
    const { server, served } = await serving();
    const { client } = await clientOf(served, "2025-11-25");
    expect(server.server.connections.size).toBe(1);
    await client.close();
    await until(() => server.server.connections.size === 0);
  });

  test("that a restarted server has lost is opened again", async () => {
    const first = await serving();
    const { client, transport } = await clientOf(first.served, "2025-11-25");
    await client.listTools();
    const { sessionId } = transport;
    const port = Number(first.served.url.port);
    await end(first.served);
    await serving({ port });
    await client.listTools().catch(() => undefined);
    await until(() => transport.sessionId !== undefined && transport.sessionId !== sessionId);
    expect(text(await client.callTool({ name: "add", arguments: { a: 1, b: 2 } }))).toBe("3");
  });
});

test("argument headers match those that the server expects", async () => {
  const { served } = await serving();
  const { client } = await clientOf(served, "2026-07-28");
  const args = { region: " Zürich\n", count: -7 };
  // Not yet listed: rejected, listed, sent again.
  expect(JSON.parse(text(await client.callTool({ name: "mirrored", arguments: args })))).toEqual(args);
  expect(JSON.parse(text(await client.callTool({ name: "mirrored", arguments: { region: "" } })))).toEqual({
    region: "",
  });
  expect(JSON.parse(text(await client.callTool({ name: "mirrored", arguments: {} })))).toEqual({});
});

test("HTTP+SSE of 2024-11-05", async () => {
  const { served } = await serving();
  const client = new Client({ name: "c", version: "1" });
  await client.connect(new SSEClientTransport(served.url), { era: "handshake" });
  clients.push(client);
  expect((await client.listTools()).tools).toHaveLength(6);
  expect(text(await client.callTool({ name: "add", arguments: { a: 1, b: 2 } }))).toBe("3");
});
