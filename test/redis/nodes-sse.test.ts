/** HTTP+SSE over three nodes with one backplane in Redis: the stream is at one node, and each POST goes to the next. */
import { clientSides } from "@mcpwright/protocol/client-sides";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { Client } from "../../runtime/src/client/core.js";
import { SSEClientTransport } from "../../runtime/src/client/http.js";
import { McpServer } from "../../runtime/src/server.js";
import { createMcpHandler, type McpHttpHandler } from "../../runtime/src/server/http.js";
import { openBackplane } from "./open-backplane.js";
import { RedisServer } from "./redis-server.js";

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
});
afterAll(() => redis.remove());

const stateKeys = [{ id: "k", key: new Uint8Array(32).fill(7) }];
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

interface Node {
  readonly handler: McpHttpHandler;
  readonly server: McpServer;
  readonly aborted: string[];
  readonly errors: Error[];
}

async function startNode(): Promise<Node> {
  const backplane = await openBackplane(redis.url, { timeoutMs: 1_000 });
  const [errors, aborted]: [Error[], string[]] = [[], []];
  const server = new McpServer(
    { name: "sse", version: "1.0.0" },
    {
      backplane,
      stateKeys,
      // Sampling is deprecated, which each process reports once.
      onerror: (error) => (error as { code?: unknown }).code === "DEPRECATED" || errors.push(error),
    },
  );
  const inputSchema = z.object({ text: z.string() });
  server.registerTool("echo", { inputSchema }, async (args, { progress }) => {
    progress({ progress: 1 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    return text(args.text);
  });
  server.registerTool("sample", { inputSchema }, async (args, context) => {
    const { content } = await context.sample("s", {
      messages: [{ role: "user", content: { type: "text", text: args.text } }],
      maxTokens: 10,
    });
    return text(JSON.stringify(content));
  });
  server.registerTool("hold", { inputSchema }, (args, { signal }) => {
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        aborted.push(args.text);
        reject(new Error("aborted"));
      });
    });
  });
  const handler = createMcpHandler(server);
  onTestFinished(async () => {
    await handler.close(0);
    await server.close(0);
  });
  return { handler, server, aborted, errors };
}

/** A fetch that sends each request to the next node, and records the nodes and the status. */
function inTurns(nodes: readonly Node[]) {
  let count = 0;
  const statuses: [node: number, status: number][] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const at = count++ % nodes.length;
    const node = nodes[at];
    if (!node) throw new Error("there are no nodes");
    const response = await node.handler.fetch(new Request(url, init));
    statuses.push([at, response.status]);
    return response;
  };
  return { fetch, statuses };
}

async function connect(nodes: readonly Node[], revision = "2024-11-05") {
  const { fetch, statuses } = inTurns(nodes);
  const revisions = clientSides.filter((side) => side.revision === revision);
  const client = new Client({ name: "test", version: "1.0.0" }, { revisions, capabilities: { sampling: {} } });
  onTestFinished(() => client.close());
  client.setRequestHandler("sampling/createMessage", ({ messages }) => ({
    role: "assistant",
    content: { type: "text", text: `re: ${JSON.stringify(messages.length)}` },
    model: "m",
  }));
  await client.connect(new SSEClientTransport("http://localhost/sse", { fetch }));
  expect(client.era).toBe(revision === "2024-11-05" ? "handshake" : "stateless");
  return { client, statuses };
}

const errorsOf = (nodes: readonly Node[]): Error[] => nodes.flatMap(({ errors }) => errors);

test.each(["2024-11-05", "2026-07-28"])("a client of %s whose POSTs reach every node", async (revision) => {
  const nodes = [await startNode(), await startNode(), await startNode()];
  const { client, statuses } = await connect(nodes, revision);
  for (let times = 0; times < 6; times++) {
    const progress: unknown[] = [];
    const result = await client.callTool(
      { name: "echo", arguments: { text: `t${times}` } },
      { onProgress: (one) => progress.push(one.progress) },
    );
    expect([result.content, progress]).toEqual([[{ type: "text", text: `t${times}` }], [1]]);
    const sampled = await client.callTool({ name: "sample", arguments: { text: "?" } });
    expect(sampled.content).toEqual([{ type: "text", text: '{"type":"text","text":"re: 1"}' }]);
  }
  for (let times = 0; times < 3; times++) {
    const controller = new AbortController();
    const call = client.callTool({ name: "hold", arguments: { text: `h${times}` } }, { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(nodes[0]?.aborted).toContain(`h${times}`), 5_000);
  }
  expect(new Set(statuses.map(([node]) => node)).size).toBe(3);
  expect(statuses.filter(([, status]) => status !== 202)).toEqual([[0, 200]]);
  expect(errorsOf(nodes)).toEqual([]);
});

test("many clients with concurrent calls get their own results", async () => {
  const nodes = [await startNode(), await startNode(), await startNode()];
  const clients = await Promise.all(Array.from({ length: 6 }, () => connect(nodes)));
  const results = await Promise.all(
    clients.flatMap(({ client }, at) =>
      Array.from({ length: 20 }, async (_, index) => {
        const name = `${at}-${index}`;
        const { content } = await client.callTool({ name: "echo", arguments: { text: name } });
        return [name, (content as { text: string }[])[0]?.text];
      }),
    ),
  );
  for (const [name, received] of results) expect(received).toBe(name);
  expect(errorsOf(nodes)).toEqual([]);
});

test("long messages reach the node of the stream in order, and none of them stays in Redis", async () => {
  const nodes = [await startNode(), await startNode()];
  const { client } = await connect(nodes);
  const results = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const long = String(index).repeat(index % 2 ? 100_000 : 1);
      const { content } = await client.callTool({ name: "echo", arguments: { text: long } });
      return (content as { text: string }[])[0]?.text === long;
    }),
  );
  expect(results).toEqual(results.map(() => true));
  await vi.waitFor(async () => expect(await redis.command("KEYS", "*message:*")).toEqual([]), 5_000);
  expect(errorsOf(nodes)).toEqual([]);
});

test("a client whose node is closed is informed by the end of its stream, and connects to another node", async () => {
  const nodes = [await startNode(), await startNode()];
  const { client } = await connect(nodes);
  const call = client.callTool({ name: "hold", arguments: { text: "x" } });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const failed = expect(call).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  await nodes[0]?.handler.close(0);
  await nodes[0]?.server.close(0);
  await failed;
  const { client: later } = await connect(nodes.slice(1));
  expect((await later.callTool({ name: "echo", arguments: { text: "x" } })).content).toEqual(text("x").content);
});

test("while Redis is away, POSTs at other nodes get 503 with Retry-After; afterwards the stream goes on", async () => {
  const [a, b] = [await startNode(), await startNode()];
  const stream = await a.handler.fetch(
    new Request("http://localhost/sse", { headers: { accept: "text/event-stream" } }),
  );
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  onTestFinished(() => reader.cancel());
  let received = "";
  const decoder = new TextDecoder();
  const readUntil = async (part: string): Promise<void> => {
    while (!received.includes(part)) received += decoder.decode((await reader.read()).value, { stream: true });
  };
  await readUntil("\n\n");
  const path = /data: (.*)/.exec(received)?.[1] ?? "";
  const post = (node: Node, message: object): Promise<Response> =>
    node.handler.fetch(
      new Request(`http://localhost${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      }),
    );
  const clientInfo = { name: "raw", version: "1" };
  const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo };
  expect((await post(b, { id: 0, method: "initialize", params })).status).toBe(202);
  expect((await post(b, { method: "notifications/initialized" })).status).toBe(202);
  expect((await post(b, { id: 1, method: "ping" })).status).toBe(202);
  await readUntil('"id":1');
  await redis.kill();
  const refused = await post(b, { id: 2, method: "ping" });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await refused.json()).toMatchObject({ id: 2, error: { code: -32603 } });
  expect((await post(a, { id: 3, method: "ping" })).status).toBe(202);
  await readUntil('"id":3');
  await redis.restart();
  await vi.waitFor(async () => expect((await post(b, { id: 4, method: "ping" })).status).toBe(202), {
    timeout: 20_000,
    interval: 200,
  });
  await readUntil('"id":4');
});

test("every key of these streams expires", async () => {
  const keys = (await redis.command("KEYS", "*")) as string[];
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) expect(await redis.command("PTTL", key)).toBeGreaterThan(0);
});
