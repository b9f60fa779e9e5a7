/** The backplane in Redis, with each client that it supports: what all backplanes do. */
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster } from "redis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type IoRedis, type NodeRedis, type RedisBackplane, redisBackplane } from "../../runtime/src/redis.js";
import { backplaneBehaviours, type OpenedBackplane } from "../../runtime/src/testing.js";
import { RedisServer } from "./redis-server.js";

let server: RedisServer;
let cluster: RedisServer;
beforeAll(async () => {
  [server, cluster] = await Promise.all([
    RedisServer.start(),
    RedisServer.start("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"),
  ]);
  await cluster.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
  await vi.waitFor(async () => expect(await cluster.command("CLUSTER", "INFO")).toContain("cluster_state:ok"), 10_000);
});
afterAll(() => Promise.all([server.remove(), cluster.remove()]));

interface Opened {
  readonly client: NodeRedis | IoRedis;
  readonly close: () => void;
}

const nothing = (): void => undefined;

const clients: readonly (readonly [string, () => Promise<Opened>])[] = [
  [
    "redis, RESP3",
    async () => {
      const client = createClient({ url: server.url, RESP: 3 });
      await client.on("error", nothing).connect();
      return { client, close: () => client.destroy() };
    },
  ],
  [
    "redis, RESP2",
    async () => {
      const client = createClient({ url: server.url, RESP: 2 });
      await client.on("error", nothing).connect();
      return { client, close: () => client.destroy() };
    },
  ],
  [
    "redis, cluster",
    async () => {
      const client = createCluster({ rootNodes: [{ url: cluster.url }] });
      await client.on("error", nothing).connect();
      return { client, close: () => client.destroy() };
    },
  ],
  [
    "ioredis",
    () => {
      const client = new Redis(server.url);
      return Promise.resolve({ client, close: () => client.disconnect() });
    },
  ],
  [
    "ioredis, cluster",
    () => {
      const client = new Cluster([cluster.url]);
      return Promise.resolve({ client, close: () => client.disconnect() });
    },
  ],
];

/** Each backplane has a prefix of its own, so that it is empty. */
let prefixes = 0;

async function open(connect: () => Promise<Opened>): Promise<OpenedBackplane> {
  const prefix = `test${++prefixes}:`;
  const opened: { backplane: RedisBackplane; close: () => void }[] = [];
  const node = async (): Promise<RedisBackplane> => {
    const { client, close } = await connect();
    const backplane = redisBackplane(client, { prefix, onerror: nothing });
    opened.push({ backplane, close });
    return backplane;
  };
  return {
    backplane: await node(),
    another: node,
    close() {
      for (const { backplane, close } of opened) {
        backplane.close();
        close();
      }
    },
  };
}

describe.each(clients)("%s:", (name, connect) => {
  test.each(backplaneBehaviours)("$name", ({ run }) => run({ name, open: () => open(connect) }));
});

test("every key expires", async () => {
  for (const one of [server, cluster]) {
    const keys = (await one.command("KEYS", "*")) as string[];
    expect(keys.length).toBeGreaterThan(10);
    const lives = await Promise.all(keys.map((key) => one.command("PTTL", key)));
    expect(keys.filter((_, at) => Number(lives[at]) === -1)).toEqual([]);
  }
});
