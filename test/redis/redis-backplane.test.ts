/** The backplane in Redis, with each client that it supports: what all backplanes do. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisBackplane, redisBackplane } from "../../runtime/src/redis.js";
import { backplaneBehaviours, type OpenedBackplane } from "../../runtime/src/testing.js";
import { type OpenedClient, redisClients, type RedisServers, startServers } from "./redis-clients.js";

let servers: RedisServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => Promise.all([servers.server.remove(), servers.cluster.remove()]));

const nothing = (): void => undefined;

/** Each backplane has a prefix of its own, so that it is empty. */
let prefixes = 0;

async function open(connect: () => Promise<OpenedClient>): Promise<OpenedBackplane> {
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

describe.each(redisClients)("%s:", (name, connect) => {
  test.each(backplaneBehaviours)("$name", ({ run }) => run({ name, open: () => open(() => connect(servers)) }));
});

test("every key expires", async () => {
  for (const one of [servers.server, ...servers.cluster.masters]) {
    const keys = (await one.command("KEYS", "*")) as string[];
    expect(keys.length).toBeGreaterThan(3);
    const lives = await Promise.all(keys.map((key) => one.command("PTTL", key)));
    expect(keys.filter((_, at) => Number(lives[at]) === -1)).toEqual([]);
  }
});
