/** Handshake sessions over three nodes, each with a connection of its own to one Redis. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { describeDeadListeners } from "../runtime/backplane/dead-listener.js";
import { describeSessions } from "../runtime/backplane/session-behaviours.js";
import { type Node, Raw, startNode } from "../runtime/backplane/session-nodes.js";
import { request } from "../runtime/http-server/messages.js";
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

test("a session of another tenant's prefix is not found, also where one prefix begins with the other", async () => {
  const names = ["a:", "a:v:", "a", "b:"];
  const nodes: Node[] = [];
  for (const one of names) nodes.push(startNode(await openBackplane(redis.url, { prefix: `${prefix}${one}` }), one));
  for (const own of nodes) {
    const raw = await new Raw().open(own);
    for (const node of nodes) {
      const { status } = await raw.send(node, "POST", request(1, "ping"));
      expect([own.name, node.name, status]).toEqual([own.name, node.name, node === own ? 200 : 404]);
    }
  }
});

test("every key of the tests above expires", async () => {
  const client = await openClient(redis.url);
  const keys = await client.keys("*");
  expect(keys.length).toBeGreaterThan(0);
  const kept = await Promise.all(keys.map(async (key) => ((await client.pTTL(key)) === -1 ? [key] : [])));
  expect(kept.flat()).toEqual([]);
});
