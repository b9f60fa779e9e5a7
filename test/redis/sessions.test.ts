/** Handshake sessions over three nodes, each with a connection of its own to one Redis. */
import { createClient } from "redis";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { redisBackplane } from "../../runtime/src/redis.js";
import { describeSessions } from "../runtime/backplane/session-behaviours.js";
import { RedisServer } from "./redis-server.js";

let redis: RedisServer;
let prefix = "";
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.remove());
beforeEach(() => {
  prefix = crypto.randomUUID();
});

describeSessions(async () => {
  const client = createClient({ url: redis.url });
  await client.on("error", () => undefined).connect();
  const backplane = redisBackplane(client, { prefix });
  onTestFinished(() => {
    backplane.close();
    client.destroy();
  });
  return backplane;
});

test("every key of the tests above expires", async () => {
  const client = createClient({ url: redis.url });
  await client.on("error", () => undefined).connect();
  onTestFinished(() => client.destroy());
  const keys = await client.keys("*");
  expect(keys.length).toBeGreaterThan(0);
  const kept = await Promise.all(keys.map(async (key) => ((await client.pTTL(key)) === -1 ? [key] : [])));
  expect(kept.flat()).toEqual([]);
});
