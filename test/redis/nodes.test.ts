/** Two nodes over HTTP with one backplane in Redis; each request of a client goes to the other node than the one before. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { Client } from "../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../runtime/src/client/http.js";
import { McpServer } from "../../runtime/src/server.js";
import { createMcpHandler } from "../../runtime/src/server/http.js";
import { openBackplane } from "./open-backplane.js";
import { RedisServer } from "./redis-server.js";

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.remove());

const stateKeys = [{ id: "k", key: new Uint8Array(32).fill(7) }];
const requestedSchema = { type: "object" as const, properties: { name: { type: "string" as const } } };
const uri = "file:///note";

async function startNode() {
  const backplane = await openBackplane(redis.url);
  const errors: Error[] = [];
  const server = new McpServer(
    { name: "nodes", version: "1.0.0" },
    {
      backplane,
      stateKeys,
      capabilities: { resources: { subscribe: true }, tools: { listChanged: true } },
      onerror: (error) => errors.push(error),
    },
  );
  server.registerTool("greet", {}, async (context) => {
    const names: unknown[] = [];
    for (const key of ["first", "last"]) {
      const { content } = await context.elicit(key, { message: key, requestedSchema });
      names.push((content as { name?: unknown } | undefined)?.name);
    }
    return { content: [{ type: "text", text: names.join(" ") }] };
  });
  server.registerResource("note", uri, {}, () => ({ contents: [{ uri, text: "" }] }));
  const handler = createMcpHandler(server);
  onTestFinished(async () => {
    await handler.close(0);
    await server.close(0);
  });
  return { server, handler, errors };
}

/** A client whose requests go to the nodes in turns. */
async function connect(nodes: Awaited<ReturnType<typeof startNode>>[]) {
  let count = 0;
  const posted: number[] = [];
  const fetch = (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const at = count++ % nodes.length;
    posted.push(at);
    const node = nodes[at];
    if (!node) throw new Error("there are no nodes");
    return node.handler.fetch(new Request(url, init));
  };
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
  onTestFinished(() => client.close());
  client.setRequestHandler("elicitation/create", ({ message }) => ({
    action: "accept",
    content: { name: message === "first" ? "Ada" : "Lovelace" },
  }));
  await client.connect(new StreamableHTTPClientTransport("http://localhost/mcp", { fetch }));
  expect(client.era).toBe("stateless");
  return { client, posted };
}

test("a handler waits at one node, and its answers arrive at the other", async () => {
  const nodes = [await startNode(), await startNode()];
  const { client, posted } = await connect(nodes);
  for (let times = 0; times < 10; times++) {
    const { content } = await client.callTool({ name: "greet" });
    expect(content).toEqual([{ type: "text", text: "Ada Lovelace" }]);
  }
  expect(new Set(posted).size).toBe(2);
  expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
});

test("many calls at the same time get their own results", async () => {
  const nodes = [await startNode(), await startNode(), await startNode()];
  const { client } = await connect(nodes);
  const results = await Promise.all(Array.from({ length: 40 }, () => client.callTool({ name: "greet" })));
  for (const { content } of results) expect(content).toEqual([{ type: "text", text: "Ada Lovelace" }]);
  expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
});

test("a client that listens at one node is notified of changes at all", async () => {
  const nodes = [await startNode(), await startNode()];
  const { client } = await connect(nodes);
  const received: string[] = [];
  client.onChanged("tools", () => received.push("tools"));
  await client.subscribeResource({ uri }, () => received.push(uri));
  await new Promise((resolve) => setTimeout(resolve, 200));
  received.splice(0);
  for (const [at, { server }] of nodes.entries()) {
    server.sendResourceUpdated({ uri });
    await vi.waitFor(() => expect(received).toEqual(Array(at + 1).fill(uri)), 5_000);
  }
  nodes[1]?.server.sendToolListChanged();
  await vi.waitFor(() => expect(received.at(-1)).toBe("tools"), 5_000);
});
