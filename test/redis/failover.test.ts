/** Sessions at two nodes when Redis fails over to its replica, and writes are lost. */
import { expect, onTestFinished, test, vi } from "vitest";
import {
  type Events,
  eventsOf,
  firstId,
  nextMessage,
  type Node,
  Raw,
  startNode,
} from "../runtime/backplane/session-nodes.js";
import { request } from "../runtime/http-server/messages.js";
import { openBackplane } from "./open-backplane.js";
import { RedisPair } from "./redis-pair.js";

const [first, second, third] = ["file:///1", "file:///2", "file:///3"] as const;

/** Opens a session that two nodes have served, and whose client has subscribed to three resources. */
async function start() {
  const redis = await RedisPair.start();
  onTestFinished(() => redis.remove());
  const [a, b] = [startNode(await openBackplane(redis.url), "a"), startNode(await openBackplane(redis.url), "b")];
  const raw = await new Raw().open(a, b);
  for (const [id, uri] of [first, second, third].entries()) {
    const answer = await raw.send(a, "POST", request(id, "resources/subscribe", { uri }));
    expect(answer.status).toBe(200);
    await answer.text();
  }
  return { redis, a, b, raw };
}

const update = ({ server }: Node, uri: string): void => server.sendResourceUpdated({ uri });

/** Reads messages up to the update of a resource. Returns what was updated or has changed, and the id of the last event. */
async function until(events: Events, uri: string): Promise<{ readonly id: string; readonly received: unknown[] }> {
  const received: unknown[] = [];
  for (;;) {
    const { id, data } = await nextMessage(events);
    const { method, params } = JSON.parse(data) as { method: string; params?: { uri?: string } };
    received.push(params?.uri ?? method);
    if (params?.uri === uri) return { id, received };
  }
}

test("a stream that stays open continues with what is sent later, and nothing arrives again", async () => {
  const { redis, a, b, raw } = await start();
  const events = eventsOf(await raw.send(a, "GET"));
  update(b, first);
  expect((await until(events, first)).received).toEqual([first]);
  await redis.beginLoss();
  update(b, second);
  expect((await until(events, second)).received).toEqual([second]);
  await redis.failOver();
  update(b, third);
  const { received } = await until(events, third);
  // Changes may have been lost that no node knows.
  expect(received).toContain("notifications/resources/list_changed");
  expect(received.filter((one) => String(one).startsWith("file:"))).toEqual([third]);
});

test("after an event that was lost, the client gets an error, and then only what it does not have", async () => {
  const { redis, a, b, raw } = await start();
  const events = eventsOf(await raw.send(a, "GET"));
  update(b, first);
  await until(events, first);
  await redis.beginLoss();
  update(b, second);
  const { id } = await until(events, second);
  await redis.failOver();
  const refused = await raw.send(b, "GET", undefined, { "last-event-id": id });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("Last-Event-ID")]);
  const again = eventsOf(await raw.send(b, "GET"));
  await firstId(again);
  update(a, third);
  const { received } = await until(again, third);
  expect(received.filter((one) => String(one).startsWith("file:"))).toEqual([third]);
});

test("after a restart and a failover, entries before a lost one are not read again", async () => {
  const redis = await RedisPair.start();
  onTestFinished(() => redis.remove());
  const backplane = await openBackplane(redis.url);
  const append = (text: string): Promise<string> =>
    Promise.resolve(backplane.append("log", text, { ttlMs: 60_000, maxEntries: 100 }));
  const read = async (after: string) => {
    const { entries, hasGap } = await backplane.read("log", { after, limit: 10 });
    return [hasGap, ...entries.map(({ text }) => text)];
  };
  const one = await append("1");
  await append("2");
  await redis.restart(0);
  // The client reconnects meanwhile.
  await vi.waitFor(async () => expect(await read(one)).toEqual([false, "2"]), 10_000);
  await redis.beginLoss();
  const lost = await append("3");
  await redis.failOver();
  await vi.waitFor(async () => expect(await read(lost)).toEqual([true]), 10_000);
  await append("4");
  expect(await read(lost)).toEqual([true, "4"]);
  expect(await read(one)).toEqual([false, "2", "4"]);
});
