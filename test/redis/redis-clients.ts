/** The clients that are supported, each connected to a server or cluster of its own. */
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster } from "redis";
import type { IoRedis, NodeRedis } from "../../runtime/src/redis.js";
import { RedisCluster } from "./redis-cluster.js";
import { RedisServer } from "./redis-server.js";

export interface OpenedClient {
  readonly client: NodeRedis | IoRedis;
  readonly close: () => void;
}

export interface RedisServers {
  readonly server: RedisServer;
  readonly cluster: RedisCluster;
}

const ignore = (): void => undefined;

export async function startServers(): Promise<RedisServers> {
  const [server, cluster] = await Promise.all([RedisServer.start(), RedisCluster.start()]);
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
