/** Nodes whose Redis is away at the start, away later, slow, full, or has settings that lose data. */
import { createClient } from "redis";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Client } from "../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../runtime/src/client/http.js";
import { type RedisBackplane, redisBackplane } from "../../runtime/src/redis.js";
import { type Node, Raw, startNode } from "../runtime/backplane/session-nodes.js";
import { call, initialize, request } from "../runtime/http-server/messages.js";
import { openClient } from "./open-backplane.js";
import { RedisServer } from "./redis-server.js";
import { startRelay } from "./relay.js";

async function serve(...args: readonly string[]): Promise<RedisServer> {
  const server = await RedisServer.start(...args);
  onTestFinished(() => server.remove());
  return server;
}

/** A backplane whose client connects as soon as Redis is there. */
function connecting(url: string, timeoutMs = 500): RedisBackplane {
  const client = createClient({ url, socket: { reconnectStrategy: 20 } });
  client.on("error", () => undefined);
  client.connect().catch(() => undefined);
  const backplane = redisBackplane(client, { timeoutMs });
  onTestFinished(() => {
    backplane.close();
    client.destroy();
  });
  return backplane;
}

const ping = (raw: Raw, node: Node): Promise<Response> => raw.send(node, "POST", request(1, "ping"));
const open = (node: Node): Promise<Response> => new Raw().send(node, "POST", initialize("2025-11-25"));

/** The status of a call that belongs to no session. */
async function stateless({ handler }: Node): Promise<number> {
  const { headers, body } = call(1, "where", {});
  const init = { method: "POST", headers: headers as Record<string, string>, body: JSON.stringify(body) };
  return (await handler.fetch(new Request("http://localhost/mcp", init))).status;
}

async function expectUnavailable(response: Promise<Response>): Promise<void> {
  const { status, headers } = await response;
  expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
}

describe("away at the start:", () => {
  test("check waits for Redis, or rejects with one line that says where it is and what to do", async () => {
    const server = await serve();
    await server.kill();
    const backplane = connecting(server.url.replace("//", "//default:secret@"));
    const error = await backplane.check().catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ name: "BackplaneError", reason: "unavailable" });
    expect((error as Error).message).toMatch(
      new RegExp(
        `^cannot read the .* in Redis: .*; check that Redis runs at 127.0.0.1:${server.port}, and the client .*$`,
      ),
    );
    const waiting = connecting(server.url).check({ waitMs: 20_000 });
    await server.restart();
    expect(await waiting).toEqual([]);
  });

  test("a node reports it once, serves what needs no Redis, and joins the others when Redis is there", async () => {
    const server = await serve();
    await server.kill();
    const [a, b] = [startNode(connecting(server.url), "a"), startNode(connecting(server.url), "b")];
    expect(await stateless(a)).toBe(200);
    await vi.waitFor(() => expect(a.errors).toHaveLength(1), 5_000);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(a.errors.map(({ message }) => message)).toEqual([expect.stringContaining("check that Redis runs at")]);
    await expectUnavailable(open(a));
    expect(await stateless(a)).toBe(200);
    await server.restart();
    await vi.waitFor(async () => expect((await open(a)).status).toBe(200), 10_000);
    const raw = await new Raw().open(a);
    expect((await ping(raw, b)).status).toBe(200);
  });
});

describe("away later:", () => {
  test("for a second, requests of sessions wait; longer, they get 503 until Redis is back, and stateless ones go on", async () => {
    const server = await serve("--appendonly", "yes", "--appendfsync", "always");
    const patient = startNode(connecting(server.url, 10_000), "patient");
    const node = startNode(connecting(server.url), "node");
    const raw = await new Raw().open(node);
    expect((await ping(raw, patient)).status).toBe(200);
    await server.kill();
    const waiting = ping(raw, patient);
    await expectUnavailable(ping(raw, node));
    await expectUnavailable(raw.send(node, "DELETE"));
    await expectUnavailable(raw.send(node, "GET"));
    await expectUnavailable(open(node));
    expect(await stateless(node)).toBe(200);
    await server.restart();
    expect((await waiting).status).toBe(200);
    // It is the same session, at both.
    await vi.waitFor(async () => expect((await ping(raw, node)).status).toBe(200), 10_000);
    expect((await ping(raw, patient)).status).toBe(200);
  });

  test("slow Redis: requests of sessions take longer, and beyond the time limit they get 503", async () => {
    const server = await serve();
    const relay = await startRelay(server.port);
    const node = startNode(connecting(relay.url), "node");
    const raw = await new Raw().open(node);
    relay.latencyMs = 50;
    const started = performance.now();
    expect((await ping(raw, node)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(95);
    relay.latencyMs = 400;
    await expectUnavailable(ping(raw, node));
    expect(await stateless(node)).toBe(200);
    relay.latencyMs = 0;
    await vi.waitFor(async () => expect((await ping(raw, node)).status).toBe(200), 10_000);
  });
});

test.each<readonly [string, (server: RedisServer) => Promise<unknown>]>([
  ["away", (server) => server.kill()],
  ["full", (server) => server.command("CONFIG", "SET", "maxmemory", "1")],
])("the retry with a requestState gets -32603 while Redis is %s", async (_, fail) => {
  const server = await serve();
  const { handler } = startNode(connecting(server.url), "node");
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
  onTestFinished(() => client.close());
  client.setRequestHandler("elicitation/create", async () => {
    await fail(server);
    return { action: "accept", content: { name: "Ada" } };
  });
  const fetch = (url: string | URL | Request, init?: RequestInit): Promise<Response> =>
    handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport("http://localhost/mcp", { fetch }));
  await expect(client.callTool({ name: "greet" })).rejects.toMatchObject({ code: -32603 });
  expect(await client.callTool({ name: "where" })).toMatchObject({ content: [{ text: "node" }] });
});

const evicting = ["allkeys-lru", "allkeys-lfu", "allkeys-random", "volatile-lru", "volatile-lfu", "volatile-random"];
const policies = [...evicting, "volatile-ttl"];

describe("full:", () => {
  /** Writes more than there is room for. */
  async function fill(url: string): Promise<void> {
    const client = await openClient(url);
    for (let at = 0; at < 200; at++)
      await client.set(`filler${at}`, "x".repeat(100_000), { expiration: { type: "PX", value: 3_600_000 } });
  }

  test("noeviction: open sessions go on, new ones get 503 until there is room", async () => {
    const server = await serve("--maxmemory", "8mb", "--maxmemory-policy", "noeviction");
    const node = startNode(connecting(server.url), "node");
    const raw = await new Raw().open(node);
    await server.command("CONFIG", "SET", "maxmemory", "1");
    expect((await ping(raw, node)).status).toBe(200);
    await expectUnavailable(open(node));
    const subscribed = await raw.send(node, "POST", request(2, "resources/subscribe", { uri: "file:///note" }));
    expect(await subscribed.json()).toMatchObject({ error: { code: -32603 } });
    expect(await stateless(node)).toBe(200);
    await server.command("CONFIG", "SET", "maxmemory", "64mb");
    expect((await open(node)).status).toBe(200);
    expect((await ping(raw, node)).status).toBe(200);
    expect(node.errors.some(({ message }) => message.includes("Redis has reached maxmemory; raise it"))).toBe(true);
  });

  test.each(policies)("%s: clients of dropped sessions get 404, and can open new ones", async (policy) => {
    const server = await serve("--maxmemory", "8mb", "--maxmemory-policy", policy);
    const node = startNode(connecting(server.url), "node");
    const raws = [];
    for (let count = 0; count < 20; count++) raws.push(await new Raw().open(node));
    for (let times = 0; times < 2; times++) await fill(server.url);
    const statuses: number[] = [];
    for (const raw of raws) statuses.push((await ping(raw, node)).status);
    expect(String(await server.command("INFO", "stats"))).toMatch(/^evicted_keys:[1-9]/m);
    // Here, those that were used more often than the new values stay.
    if (!policy.endsWith("lfu")) expect(statuses).toContain(404);
    expect(statuses.filter((status) => status !== 404 && status !== 200)).toEqual([]);
    expect((await ping(await new Raw().open(node), node)).status).toBe(200);
    const named = node.errors.filter(({ message }) => message.includes("maxmemory-policy"));
    expect(named.map(({ message }) => message)).toEqual([
      `Redis has the maxmemory-policy ${policy}: when it is full, it drops sessions and messages; set it to noeviction`,
    ]);
  });
});

describe("settings:", () => {
  test.each(policies)("check returns a warning for %s, if memory is limited", async (policy) => {
    const server = await serve("--maxmemory", "64mb", "--maxmemory-policy", policy);
    const backplane = connecting(server.url);
    expect(await backplane.check()).toEqual([expect.stringContaining(`maxmemory-policy ${policy}`)]);
    await server.command("CONFIG", "SET", "maxmemory", "0");
    expect(await backplane.check()).toEqual([]);
  });

  test("the warning is reported once per process, and not for noeviction", async () => {
    const server = await serve("--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru");
    const backplane = connecting(server.url);
    const nodes = [startNode(backplane, "a"), startNode(backplane, "b")];
    for (const node of nodes) await new Raw().open(node);
    await server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    const later = startNode(connecting(server.url), "c");
    await new Raw().open(later);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const texts = [...nodes, later].flatMap(({ errors }) => errors.map(({ message }) => message));
    expect(texts).toEqual([expect.stringContaining("allkeys-lru")]);
  });
});
