/** GET streams of a session after a failover of the backplane that has lost which messages were sent. */
import { expect, test, vi } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { turn } from "../http-server/messages.js";
import { eventsOf, firstId, nextMessage, Raw, startNodes } from "./session-nodes.js";

/** A session whose stream at node `b` has got a message. The backplane no longer knows that it was sent. */
async function start() {
  const backplane = new MemoryBackplane();
  const subscribe = vi.spyOn(backplane, "subscribe");
  const [a, b, c] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  const events = eventsOf(await raw.send(b, "GET"));
  await firstId(events);
  const key = `listener:${raw.id}`;
  const earlier = backplane.get(key)?.text ?? "";
  a.server.sendToolListChanged();
  expect((await nextMessage(events)).data).toContain("tools/list_changed");
  expect(backplane.get(key)?.text).not.toBe(earlier);
  backplane.set(key, earlier, { ttlMs: 60_000 });
  return {
    ...{ a, c, raw, events },
    isRestored: () => backplane.get(key)?.text !== earlier,
    interrupt: () => {
      for (const [log, subscriber] of subscribe.mock.calls) if (log === `messages:${raw.id}`) subscriber.onGap();
    },
  };
}

/** The next message on a new stream at node `c`. */
async function nextAtAnother({ a, c, raw }: Awaited<ReturnType<typeof start>>): Promise<string> {
  const newer = eventsOf(await raw.send(c, "GET"));
  await firstId(newer);
  a.server.sendResourceListChanged();
  return (await nextMessage(newer)).data;
}

test("the stream continues", async () => {
  const { a, events } = await start();
  a.server.sendResourceListChanged();
  expect((await nextMessage(events)).data).toContain("resources/list_changed");
});

test("a stream that is opened after its end gets nothing again", async () => {
  const started = await start();
  await started.events.return(undefined);
  await turn(10);
  expect(await nextAtAnother(started)).toContain("resources/list_changed");
});

test("nor does one that is opened beside it, after the node was connected again", async () => {
  const started = await start();
  started.interrupt();
  await vi.waitFor(() => expect(started.isRestored()).toBe(true));
  expect(await nextAtAnother(started)).toContain("resources/list_changed");
});
