/** The store of an OAuth proxy over a backplane in Redis. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { BackplaneProxyStore } from "../../../runtime/src/auth-proxy/backplane.js";
import { redisBackplane } from "../../../runtime/src/redis.js";
import { otherClock, proxyStoreBehaviours } from "../../runtime/auth-proxy/proxy-store-behaviours.js";
import { severalNodes } from "../../runtime/auth-proxy/several-nodes.js";
import { redisClients, type RedisServers, startServers } from "../redis-clients.js";
import { openBackplane, openClient } from "../open-backplane.js";
import { RedisServer } from "../redis-server.js";

let servers: RedisServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => Promise.all([servers.server.remove(), servers.cluster.remove()]));

let count = 0;
/** The others send the same commands. */
const clients = redisClients.filter(([name]) => name === "redis, RESP3" || name === "ioredis, cluster");

proxyStoreBehaviours(
  clients.map(([name, open]) => [
    name,
    async () => {
      const { client, close } = await open(servers);
      const backplane = redisBackplane(client, { prefix: `store${count++}:` });
      return { store: new BackplaneProxyStore(backplane), close };
    },
  ]),
  otherClock,
);

describe("three machines", () => {
  severalNodes(async (node) => {
    // The first node of each test begins a prefix.
    if (node === 0) count++;
    return openBackplane(servers.server.url, { prefix: `nodes${count}:` });
  });

  test("every key expires", async () => {
    const client = await openClient(servers.server.url);
    const lives = await Promise.all((await client.keys("nodes*")).map((key) => client.pTTL(key)));
    expect(lives.length).toBeGreaterThan(10);
    expect(lives.filter((life) => life < 0)).toEqual([]);
  });
});

test("while Redis is away, calls fail with a ProxyStoreError, and the values are there afterwards", async () => {
  const redis = await RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
  onTestFinished(() => redis.remove());
  const store = new BackplaneProxyStore(await openBackplane(redis.url, { timeoutMs: 1_000 }));
  await store.set("code", "a", "1", Date.now() + 60_000, "g");
  await redis.kill();
  const away = { name: "ProxyStoreError", code: "STORE_FAILED", reason: "unavailable" };
  for (const call of [
    store.get("code", "a"),
    store.set("code", "b", "2"),
    // Whether these happen later is not known.
    store.take("code", "c"),
    store.delete("code", "c"),
    store.deleteGroup("code", "other"),
    store.count("code"),
  ])
    await expect(call).rejects.toMatchObject(away);
  await redis.restart();
  await expect.poll(() => store.get("code", "a").catch(() => undefined), { timeout: 15_000 }).toBe("1");
  expect(await store.take("code", "a")).toBe("1");
  await redis.command("CONFIG", "SET", "maxmemory", "1");
  await expect(store.set("code", "b", "2")).rejects.toMatchObject({ reason: "full" });
});
