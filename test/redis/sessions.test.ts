/** Handshake sessions over three nodes, each with a connection of its own to one Redis. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { describeDeadListeners } from "../runtime/backplane/dead-listener.js";
import { describeSessions } from "../runtime/backplane/session-behaviours.js";
import { openBackplane, openClient } from "./open-backplane.js";
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

describeSessions(() => openBackplane(redis.url, { prefix }));
describeDeadListeners(() => openBackplane(redis.url, { prefix }));

test("every key of the tests above expires", async () => {
  const client = await openClient(redis.url);
  const keys = await client.keys("*");
  expect(keys.length).toBeGreaterThan(0);
  const kept = await Promise.all(keys.map(async (key) => ((await client.pTTL(key)) === -1 ? [key] : [])));
  expect(kept.flat()).toEqual([]);
});
