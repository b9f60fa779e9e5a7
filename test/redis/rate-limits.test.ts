/** Limits that several nodes share in Redis. */
import { RateLimiterRedis } from "rate-limiter-flexible";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { rateLimits, type RateLimitsOptions } from "../../runtime/src/rate-limits.js";
import { McpServer } from "../../runtime/src/server.js";
import { createMcpHandler } from "../../runtime/src/server/http.js";
import { call, type Message } from "../runtime/http-server/messages.js";
import { openClient } from "./open-backplane.js";
import { RedisServer } from "./redis-server.js";

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.remove());

let count = 0;
const ada = { issuer: "https://issuer.example", subject: "ada" };

type Limiters = (url: string, keyPrefix: string) => Promise<RateLimiterRedis>;

const ofRedis: Limiters = async (url, keyPrefix) => {
  const storeClient = await openClient(url);
  return new RateLimiterRedis({ storeClient, useRedisPackage: true, keyPrefix, points: 10, duration: 60 });
};

const ofIoRedis: Limiters = (url, keyPrefix) => {
  const storeClient = new Redis(url).on("error", () => undefined);
  onTestFinished(() => storeClient.disconnect());
  return Promise.resolve(new RateLimiterRedis({ storeClient, keyPrefix, points: 10, duration: 60 }));
};

/** A node of a server whose clients have ten points. */
async function startNode(limiters: Limiters, url: string, keyPrefix: string, options: RateLimitsOptions = {}) {
  const errors: Error[] = [];
  const server = new McpServer(
    { name: "nodes", version: "1.0.0" },
    {
      rateLimits: rateLimits([{ limiter: await limiters(url, keyPrefix) }], options),
      onerror: (error) => errors.push(error),
    },
  );
  server.registerTool("buy", {}, () => ({ content: [] }));
  const handler = createMcpHandler(server, { allowedHosts: "any" });
  const send = async (): Promise<readonly [status: number, code: number | undefined, retryAfter: string | null]> => {
    const sent = call(++count, "buy", {});
    const headers = sent.headers as Record<string, string>;
    const init = { method: "POST", headers, body: JSON.stringify(sent.body) };
    const response = await handler.fetch(new Request("http://localhost/mcp", init), { principal: ada });
    const { error } = (await response.json()) as Message;
    return [response.status, error?.code, response.headers.get("retry-after")];
  };
  return { send, errors };
}

test.each([
  ["redis", ofRedis],
  ["ioredis", ofIoRedis],
])("%s: of requests to three nodes at the same time, as many run as there are points", async (name, limiters) => {
  const nodes = await Promise.all([1, 2, 3].map(() => startNode(limiters, redis.url, `shared-${name}`)));
  const all = await Promise.all(Array.from({ length: 20 }, () => nodes.map(({ send }) => send())).flat());
  const statuses = all.map(([status]) => status);
  expect([200, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([10, 50]);
  const refused = all.filter(([status]) => status === 429);
  expect(refused.every(([, code, wait]) => code === 429 && Number(wait) > 50 && Number(wait) <= 60)).toBe(true);
  const keys = (await redis.command("KEYS", `shared-${name}*`)) as string[];
  const times = await Promise.all(keys.map((key) => redis.command("PTTL", key)));
  expect(keys).toHaveLength(1);
  expect(times.every((ms) => Number(ms) > 0)).toBe(true);
});

test.each([
  ["redis", "admit", ofRedis, [200, undefined, null]],
  ["redis", "refuse", ofRedis, [503, -32603, "1"]],
  ["ioredis", "admit", ofIoRedis, [200, undefined, null]],
  ["ioredis", "refuse", ofIoRedis, [503, -32603, "1"]],
] as const)("%s: while Redis is away, %s; afterwards it counts again", async (_, onStoreFailure, limiters, outcome) => {
  const server = await RedisServer.start();
  onTestFinished(() => server.remove());
  const { send, errors } = await startNode(limiters, server.url, "away", { onStoreFailure, storeTimeoutMs: 200 });
  expect((await send())[0]).toBe(200);
  await server.kill();
  expect([await send(), await send()]).toEqual([outcome, outcome]);
  expect(errors).toMatchObject([{ code: "STORE_FAILED" }]);
  await server.restart();
  await expect
    .poll(async () => (await Promise.all(Array.from({ length: 11 }, send))).some(([status]) => status === 429), {
      timeout: 10_000,
    })
    .toBe(true);
});

test("a Redis without memory is a store that has failed", async () => {
  const server = await RedisServer.start("--maxmemory", "1", "--maxmemory-policy", "noeviction");
  onTestFinished(() => server.remove());
  const { send, errors } = await startNode(ofRedis, server.url, "full", { onStoreFailure: "refuse" });
  expect(await send()).toEqual([503, -32603, "1"]);
  expect(errors[0]?.message).toMatch(/requests are refused: .*OOM/);
});
