/** Nodes whose clocks are off by an hour: everything that is kept expires by the clock of Redis. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createClient } from "redis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Client } from "../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../runtime/src/client/http.js";
import { redisBackplane } from "../../runtime/src/redis.js";
import { inputRequired } from "../../runtime/src/server.js";
import { type Node, Raw, startNode } from "../runtime/backplane/session-nodes.js";
import { request } from "../runtime/http-server/messages.js";
import { RedisServer } from "./redis-server.js";

const hour = 3_600_000;
/** By how many milliseconds the clock is ahead for what runs at present. */
const ahead = new AsyncLocalStorage<number>();

let redis: RedisServer;
let prefix = "";
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.remove());
beforeEach(() => {
  prefix = crypto.randomUUID();
  const now = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => now() + (ahead.getStore() ?? 0));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Starts a node whose clock is ahead by so many milliseconds. */
function start(name: string, offsetMs: number): Promise<Node> {
  return ahead.run(offsetMs, async () => {
    const client = createClient({ url: redis.url });
    await client.on("error", () => undefined).connect();
    const backplane = redisBackplane(client, { prefix });
    onTestFinished(() => {
      backplane.close();
      client.destroy();
    });
    const node = startNode(backplane, name, { sessions: { idleMs: 600 } });
    const message = { message: "Name?", requestedSchema: { type: "object" as const, properties: {} } };
    node.server.registerTool("ask", {}, (context) =>
      context.inputResponses
        ? { content: [] }
        : inputRequired({ inputRequests: { who: inputRequired.elicit(message) } }),
    );
    const handler: Node["handler"] = {
      ...node.handler,
      fetch: (sent, options) => ahead.run(offsetMs, () => node.handler.fetch(sent, options)),
    };
    const shifted: Node = { ...node, handler };
    // Learns the clock of Redis.
    await new Raw().open(shifted);
    await vi.waitFor(() => expect(backplane.clockOffsetMs).toBeCloseTo(-offsetMs, -4));
    return shifted;
  });
}

const sides = [
  ["behind", -hour],
  ["ahead", hour],
] as const;

describe.each(sides)("an hour %s:", (side, offsetMs) => {
  test("the node reports it once", async () => {
    const { errors } = await start("off", offsetMs);
    const text = `the clock of this process is 3600 seconds ${side === "behind" ? side : "ahead of"} that of Redis`;
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining(text)]);
  });

  test("sessions go on at all nodes as long as they are used, and end after their time", async () => {
    const [off, right] = [await start("off", offsetMs), await start("right", 0)];
    const raws = [await new Raw().open(off), await new Raw().open(right)];
    const ping = async (raw: Raw, node: Node): Promise<number> =>
      (await raw.send(node, "POST", request(1, "ping"))).status;
    for (let times = 0; times < 5; times++) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      for (const raw of raws) expect([await ping(raw, off), await ping(raw, right)]).toEqual([200, 200]);
    }
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    for (const raw of raws) expect([await ping(raw, off), await ping(raw, right)]).toEqual([404, 404]);
  });

  test("a requestState of one node is accepted at the other, once", async () => {
    const nodes = [await start("off", offsetMs), await start("right", 0)];
    let count = 0;
    const posted: string[] = [];
    const fetch = (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const node = nodes[count++ % nodes.length];
      if (!node) throw new Error("there are no nodes");
      if (typeof init?.body === "string") posted.push(init.body);
      return node.handler.fetch(new Request(url, init));
    };
    const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
    onTestFinished(() => client.close());
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
    await client.connect(new StreamableHTTPClientTransport("http://localhost/mcp", { fetch }));
    for (let times = 0; times < 4; times++) {
      // So that each node is the first one twice.
      count = times;
      expect(await client.callTool({ name: "ask" })).toMatchObject({ content: [] });
    }
    const retries = posted.filter((body) => body.includes("requestState"));
    expect(retries).toHaveLength(4);
    for (const [at, node] of nodes.entries()) {
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "ask",
      };
      const again = new Request("http://localhost/mcp", { method: "POST", headers, body: retries[at] ?? "" });
      expect(await (await node.handler.fetch(again)).json()).toMatchObject({ error: { code: -32602 } });
    }
  });
});
