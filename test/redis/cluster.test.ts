/** Handshake sessions and logs in a Redis Cluster of three masters, whose slots move and whose masters change. */
import { Cluster } from "ioredis";
import { createCluster } from "redis";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type BackplaneError, followLog } from "../../runtime/src/backplane.js";
import { type RedisBackplane, redisBackplane } from "../../runtime/src/redis.js";
import { freePort } from "../../scripts/free-port.js";
import { describeSessions } from "../runtime/backplane/session-behaviours.js";
import { openBackplane } from "./open-backplane.js";
import { RedisCluster } from "./redis-cluster.js";
import { RedisServer } from "./redis-server.js";

let cluster: RedisCluster;
let prefix = "";
beforeAll(async () => {
  cluster = await RedisCluster.start();
});
afterAll(() => cluster.remove());
beforeEach(() => {
  prefix = crypto.randomUUID();
});

const bounds = { ttlMs: 60_000, maxEntries: 1_000 };

async function withRedis(): Promise<RedisBackplane> {
  const client = createCluster({ rootNodes: [{ url: cluster.url }] });
  await client.on("error", () => undefined).connect();
  const backplane = redisBackplane(client, { prefix });
  onTestFinished(() => {
    backplane.close();
    client.destroy();
  });
  return backplane;
}

function withIoRedis(): Promise<RedisBackplane> {
  const client = new Cluster([cluster.url]);
  client.on("error", () => undefined);
  const backplane = redisBackplane(client, { prefix });
  onTestFinished(() => {
    backplane.close();
    client.disconnect();
  });
  return Promise.resolve(backplane);
}

describe.each([
  ["redis", withRedis],
  ["ioredis", withIoRedis],
])("%s:", (_name, open) => {
  describeSessions(open);

  test("keys are at all masters", async () => {
    const backplane = await open();
    for (let at = 0; at < 30; at++) await backplane.set(`k${at}`, String(at), { ttlMs: 60_000 });
    const counts = await Promise.all(
      cluster.masters.map(async (one) => ((await one.command("KEYS", `${prefix}*`)) as string[]).length),
    );
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts.reduce((sum, count) => sum + count)).toBe(30);
  });

  test.each([
    ["a slot moves to another master", (key: string) => cluster.moveSlotOf(key)],
    ["a replica becomes the master", (key: string) => cluster.failOver(key)],
  ])("while %s, no entry of a log is lost, doubled or out of order", async (_what, change) => {
    const [a, b] = [await open(), await open()];
    // No entry is dropped while the reader waits for the new master.
    const unbounded = { ...bounds, maxEntries: 1_000_000 };
    const received: string[] = [];
    const end = await followLog(b, "log", undefined, {
      onEntry: ({ text }) => void received.push(text),
      onGap: () => void received.push("gap"),
      onError: () => undefined,
    });
    const sent: string[] = [];
    const state = { hasChanged: false };
    const changing = change(`${prefix}l:{log}`).finally(() => (state.hasChanged = true));
    while (!state.hasChanged || sent.length < 100) {
      await a.append("log", String(sent.length), unbounded);
      sent.push(String(sent.length));
    }
    await changing;
    await a.append("log", "last", unbounded);
    // The servers can lose the message about an entry while their roles change. Then the reader gets the entry with the next one.
    await vi.waitFor(
      async () => {
        await a.append("log", "next", unbounded);
        expect(received).toContain("last");
      },
      { timeout: 10_000, interval: 500 },
    );
    expect(received.filter((text) => text !== "next")).toEqual([...sent, "last"]);
    end();
  });
});

describe("a client that does not suit the cluster, or a cluster that lacks slots:", () => {
  const failure = (call: Promise<unknown>): Promise<BackplaneError> =>
    call.then(
      () => {
        throw new Error("the call succeeded");
      },
      (error: unknown) => error as BackplaneError,
    );

  test("a client for one server is rejected with the remedy", async () => {
    const backplane = await openBackplane(cluster.url, { prefix, timeoutMs: 1_000 });
    const calls = Array.from({ length: 20 }, (_, at) => backplane.set(`k${at}`, "", { ttlMs: 60_000 }));
    const settled = await Promise.allSettled(calls);
    const messages = settled.flatMap((one) => (one.status === "rejected" ? [(one.reason as Error).message] : []));
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages)
      expect(message).toMatch(/^cannot set a value in Redis: MOVED .*; Redis is a cluster; pass a client for clusters/);
  });

  test("a key whose slot no server has is rejected with the remedy", async () => {
    const server = await RedisServer.start("--cluster-enabled", "yes", "--cluster-port", String(await freePort()));
    onTestFinished(() => server.remove());
    const { reason, message } = await failure((await openBackplane(server.url)).get("k"));
    expect([reason, message]).toEqual([
      "unavailable",
      expect.stringContaining("no server of the cluster has the slot"),
    ]);
  });
});
