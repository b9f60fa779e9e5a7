/** Sessions whose clients never come back: what Redis and the nodes keep for them ends. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SharedSessionData } from "../../runtime/src/backplane/session-data.js";
import { logOfSession } from "../../runtime/src/backplane/session-listener.js";
import { SessionRecords } from "../../runtime/src/backplane/session-records.js";
import { Raw, startNode } from "../runtime/backplane/session-nodes.js";
import { openBackplane } from "./open-backplane.js";
import { RedisServer } from "./redis-server.js";

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.remove());

const keys = async (): Promise<number> => Number(await redis.command("DBSIZE"));

async function memory(): Promise<number> {
  const info = String(await redis.command("INFO", "memory"));
  return Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
}

const record = {
  server: "nodes",
  revision: "2025-11-25",
  capabilities: { elicitation: {} },
  info: { name: "client", version: "1.0.0" },
  advertisedCapabilities: { tools: { listChanged: true } },
  initialized: true,
  subscriptions: ["file:///note"],
};

test("100,000 abandoned sessions are gone from Redis after their time, with their data and messages", async () => {
  const [total, atOnce, ttlMs] = [100_000, 1_000, 8_000];
  const backplane = await openBackplane(redis.url, { timeoutMs: 20_000 });
  const records = new SessionRecords(backplane, () => undefined);
  const create = async (at: number): Promise<void> => {
    const id = crypto.randomUUID();
    await records.create(id, record, ttlMs);
    // Some had data, and messages that no stream has read.
    if (at % 10 > 0) return;
    await new SharedSessionData(backplane, id, ttlMs).change(() => JSON.stringify({ cart: [at] }));
    await backplane.append(logOfSession(id), "\n{}", { ttlMs, maxEntries: 1_000 });
  };
  await create(0);
  await redis.command("FLUSHDB");
  const [keysBefore, memoryBefore] = [await keys(), await memory()];
  const started = performance.now();
  for (let at = 0; at < total; at += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, offset) => create(at + offset)));
  const peak = await memory();
  // Unless this took so long that the first ones have ended.
  if (performance.now() - started < ttlMs) expect(await keys()).toBe(total * 1.2);
  expect(peak - memoryBefore).toBeGreaterThan(20_000_000);
  await vi.waitFor(async () => expect(await keys()).toBe(keysBefore), { timeout: 3 * ttlMs, interval: 250 });
  await vi.waitFor(async () => expect((await memory()) - memoryBefore).toBeLessThan(3_000_000), { timeout: 5_000 });
}, 90_000);

test("abandoned sessions are gone from the nodes, too", async () => {
  const options = { sessions: { idleMs: 500 } };
  const nodes = [
    startNode(await openBackplane(redis.url), "a", options),
    startNode(await openBackplane(redis.url), "b", options),
  ] as const;
  const [a, b] = nodes;
  for (let count = 0; count < 100; count++) await new Raw().open(a, b);
  const held = (): number[] => nodes.map(({ server }) => server.server.connections.size);
  expect(Math.max(...held())).toBeGreaterThan(0);
  await vi.waitFor(() => expect(held()).toEqual([0, 0]), { timeout: 10_000 });
  await vi.waitFor(async () => expect(await redis.command("KEYS", "*session*")).toEqual([]), { timeout: 10_000 });
});
