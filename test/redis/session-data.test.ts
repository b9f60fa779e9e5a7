/** The data of a session in Redis: several nodes change it, Redis is away and comes back. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { BackplaneError } from "../../runtime/src/backplane.js";
import { deleteSessionData } from "../../runtime/src/backplane/session-data.js";
import type { RedisBackplane } from "../../runtime/src/redis.js";
import { sessionKey } from "../../runtime/src/server.js";
import { JsonSessionStore } from "../../runtime/src/server/json-session-store.js";
import { openBackplane } from "./open-backplane.js";
import { RedisServer } from "./redis-server.js";

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
});
afterAll(() => redis.remove());

const count = sessionKey<number>("count");
let sessions = 0;

/** The store of a session at so many nodes, each with a connection of its own. */
async function nodes(length: number) {
  const id = `session-${++sessions}`;
  const open = async (): Promise<{ backplane: RedisBackplane; store: JsonSessionStore }> => {
    const backplane = await openBackplane(redis.url, { timeoutMs: 1_000 });
    const node = backplane.connectServer({
      name: "shared",
      stateKeys: undefined,
      deliver: () => undefined,
      accept: () => undefined,
      onerror: () => undefined,
    });
    onTestFinished(() => node.end());
    return { backplane, store: new JsonSessionStore(node.sessionData(id, 60_000)) };
  };
  return { id, opened: await Promise.all(Array.from({ length }, open)) };
}

test("no update of three nodes is lost, and the value expires", async () => {
  const { id, opened } = await nodes(3);
  await Promise.all(
    opened.flatMap(({ store }) => Array.from({ length: 30 }, () => store.update(count, (now = 0) => now + 1))),
  );
  expect(await Promise.all(opened.map(({ store }) => store.get(count)))).toEqual([90, 90, 90]);
  const [key = ""] = (await redis.command("KEYS", `*session-data:${id}*`)) as string[];
  const ttlMs = Number(await redis.command("PTTL", key));
  expect(ttlMs).toBeGreaterThan(60_000);
  expect(ttlMs).toBeLessThanOrEqual(67_500);
  const [first, second] = opened;
  if (!first || !second) throw new Error("there are no nodes");
  expect(await deleteSessionData(first.backplane, id)).toBe(true);
  expect(await second.store.get(count)).toBeUndefined();
  expect(await redis.command("EXISTS", key)).toBe(0);
});

test("while Redis is away calls reject, and afterwards they go on with the data of before", async () => {
  const { opened } = await nodes(1);
  const [{ store } = { store: undefined }] = opened;
  await store?.set(count, 7);
  await redis.kill();
  for (const call of [store?.get(count), store?.update(count, (now = 0) => now + 1)])
    await expect(call).rejects.toMatchObject({
      name: "BackplaneError",
      reason: "unavailable",
    } satisfies Partial<BackplaneError>);
  await redis.restart();
  await expect.poll(() => store?.get(count).catch(() => "away"), { timeout: 20_000 }).toBe(7);
  expect(await store?.update(count, (now = 0) => now + 1)).toBe(8);
});
