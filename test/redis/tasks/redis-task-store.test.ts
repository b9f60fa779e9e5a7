/** The store of tasks in Redis, with each client that it supports: what all stores do. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RedisTaskStore } from "../../../runtime/src/tasks/redis.js";
import { type OpenedTaskStore, taskStoreBehaviours, type TaskStoreLimits } from "../../../runtime/src/testing.js";
import { newTask, request } from "../../runtime/tasks/new-task.js";
import { type OpenedClient, redisClients, type RedisServers, startServers } from "../redis-clients.js";

let servers: RedisServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => Promise.all([servers.server.remove(), servers.cluster.remove()]));

/** Each store has a prefix of its own, so that it is empty. */
let prefixes = 0;

async function open(connect: () => Promise<OpenedClient>, limits: TaskStoreLimits): Promise<OpenedTaskStore> {
  const prefix = `test${++prefixes}:`;
  const opened: { store: RedisTaskStore; close: () => void }[] = [];
  const another = async (): Promise<RedisTaskStore> => {
    const { client, close } = await connect();
    const store = new RedisTaskStore(client, { ...limits, prefix });
    opened.push({ store, close });
    return store;
  };
  return {
    store: await another(),
    another,
    close() {
      for (const { store, close } of opened) {
        store.close();
        close();
      }
    },
  };
}

describe.each(redisClients)("%s:", (name, connect) => {
  test.each(taskStoreBehaviours)("$name", ({ run }) =>
    run({ name, open: (limits) => open(() => connect(servers), limits) }),
  );
});

describe.each(redisClients)("%s:", (_name, connect) => {
  const lives = async (prefix: string): Promise<number[]> => {
    const { server, cluster } = servers;
    const pattern = `{${prefix}}tasks:*`;
    const all = [server, ...cluster.masters];
    const keys = await Promise.all(all.map(async (one) => [one, await one.command("KEYS", pattern)]));
    const read = (keys as [typeof server, string[]][]).flatMap(([one, names]) =>
      names.map(async (key) => Number(await one.command("PTTL", key))),
    );
    return Promise.all(read);
  };

  test("every key expires after the last task, unless a task has no end", async () => {
    const prefix = `keys${++prefixes}:`;
    const { client, close } = await connect(servers);
    const store = new RedisTaskStore(client, { prefix });
    await store.heartbeat("w1", 1_000);
    await store.create(newTask("1", { ttlMs: 3_600_000 }), request);
    await store.create(newTask("2", { ttlMs: 60_000 }), request);
    const before = await lives(prefix);
    expect(before).toHaveLength(10);
    for (const life of before) expect([life > 3_600_000, life < 3_750_000]).toEqual([true, true]);
    await store.create(newTask("endless"), request);
    expect(new Set(await lives(prefix))).toEqual(new Set([-1]));
    expect(await store.delete("endless", newTask("endless").owner)).toBe(true);
    for (const life of await lives(prefix)) expect([life > 3_600_000, life < 3_750_000]).toEqual([true, true]);
    for (const id of ["1", "2"]) await store.delete(id, newTask(id).owner);
    const after = await lives(prefix);
    expect(after.length).toBeLessThanOrEqual(2);
    for (const life of after) expect([life > 0, life < 200_000]).toEqual([true, true]);
    store.close();
    close();
  });
});
