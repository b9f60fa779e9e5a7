/** The clients that are supported, each connected to a server or cluster of its own. */
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster } from "redis";
import { expect, vi } from "vitest";
import type { IoRedis, NodeRedis } from "../../runtime/src/redis.js";
import { freePort } from "../../scripts/free-port.js";
import { RedisServer } from "./redis-server.js";

export interface OpenedClient {
  readonly client: NodeRedis | IoRedis;
  readonly close: () => void;
}

export interface RedisServers {
  readonly server: RedisServer;
  readonly cluster: RedisServer;
}

const ignore = (): void => undefined;

export async function startServers(): Promise<RedisServers> {
  // By default, the port for other nodes of a cluster is 10,000 higher, where an outgoing connection may have it.
  const busPort = String(await freePort());
  const asCluster = ["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1", "--cluster-port", busPort];
  const [server, cluster] = await Promise.all([RedisServer.start(), RedisServer.start(...asCluster)]);
  await cluster.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
  await vi.waitFor(async () => expect(await cluster.command("CLUSTER", "INFO")).toContain("cluster_state:ok"), 10_000);
  return { server, cluster };
}

export const redisClients: readonly (readonly [string, (servers: RedisServers) => Promise<OpenedClient>])[] = [
  [
    "redis, RESP3",
    async ({ server }) => {
      const client = createClient({ url: server.url, RESP: 3 });
      await client.on("error", ignore).connect();
      return { client, close: () => client.destroy() };
    },
  ],
  [
    "redis, RESP2",
    async ({ server }) => {
      const client = createClient({ url: server.url, RESP: 2 });
      await client.on("error", ignore).connect();
      return { client, close: () => client.destroy() };
    },
  ],
  [
    "redis, cluster",
    async ({ cluster }) => {
      const client = createCluster({ rootNodes: [{ url: cluster.url }] });
      await client.on("error", ignore).connect();
      return { client, close: () => client.destroy() };
    },
  ],
  [
    "ioredis",
    ({ server }) => {
      const client = new Redis(server.url);
      return Promise.resolve({ client, close: () => client.disconnect() });
    },
  ],
  [
    "ioredis, cluster",
    ({ cluster }) => {
      const client = new Cluster([cluster.url]);
      return Promise.resolve({ client, close: () => client.disconnect() });
    },
  ],
];
