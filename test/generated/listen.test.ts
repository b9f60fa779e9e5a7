import type { HandlerContext } from "@mcpwright/protocol/contract";
import { clientSide, serverSide, type ServerEvent } from "@mcpwright/protocol/2026-07-28";
import { handleClient, subscriptionsListen } from "@mcpwright/protocol/2026-07-28/client";
import {
  handleServer,
  notifyCancelled,
  notifyResourceUpdated,
  notifySubscriptionsAcknowledged,
  notifyToolListChanged,
} from "@mcpwright/protocol/2026-07-28/server";
import { expect, test } from "vitest";
import { collect } from "../support/collect.js";
import { connectionPair, methodNotFound } from "../support/connection-double.js";

const wanted = { notifications: { toolsListChanged: true, resourceSubscriptions: ["file:///a"] } };
const granted = { notifications: { toolsListChanged: true } };
const done = { resultType: "complete" as const, _meta: { "io.modelcontextprotocol/subscriptionId": 1 } };

/** A client and a server whose listen handler runs `script` between acknowledgement and result. */
function listening(script: (context: HandlerContext, signalled: Promise<void>) => Promise<void>) {
  const pair = connectionPair({ clientSide, serverSide });
  const ended: string[] = [];
  handleServer(pair.server, {
    "subscriptions/listen": async (_, context) => {
      await notifySubscriptionsAcknowledged(pair.server, granted, context.requestId);
      const signalled = new Promise<void>((resolve) => context.signal.addEventListener("abort", () => resolve()));
      await script(context, signalled);
      ended.push(context.signal.aborted ? "aborted" : "finished");
      return done;
    },
  });
  return { ...pair, ended };
}

test("a stream is acknowledged, carries its own notifications, and ends with its result", async () => {
  const { client, server } = listening(async ({ requestId }) => {
    await notifyToolListChanged(server, undefined, requestId);
    await notifyResourceUpdated(server, { uri: "file:///a" }, requestId);
  });
  const stream = subscriptionsListen(client, wanted);
  expect(await stream.acknowledged).toEqual(granted);
  const events: ServerEvent[] = await collect(stream);
  expect(events).toEqual([
    { method: "notifications/tools/list_changed" },
    { method: "notifications/resources/updated", params: { uri: "file:///a" } },
  ]);
  expect(await stream.result).toEqual(done);
});

test("events are distinguished by their method", async () => {
  const { client, server } = listening(({ requestId }) => notifyResourceUpdated(server, { uri: "file:///b" }, requestId));
  const uris: string[] = [];
  for await (const event of subscriptionsListen(client, wanted))
    if (event.method === "notifications/resources/updated") uris.push(event.params.uri);
  expect(uris).toEqual(["file:///b"]);
});

test("other notifications go to the handlers, not to the stream", async () => {
  const { client, server } = listening(() => notifyToolListChanged(server));
  const heard: string[] = [];
  handleClient(client, { "notifications/tools/list_changed": () => void heard.push("tools") });
  expect(await collect(subscriptionsListen(client, wanted))).toEqual([]);
  expect(heard).toEqual(["tools"]);
});

test("two streams are separate", async () => {
  const { client, server } = listening(({ requestId }) =>
    notifyResourceUpdated(server, { uri: `file:///${requestId}` }, requestId),
  );
  const streams = [subscriptionsListen(client, wanted), subscriptionsListen(client, wanted)];
  const events = await Promise.all(streams.map((stream) => collect(stream)));
  expect(events.map((seen) => seen.map(({ params }) => params))).toEqual([[{ uri: "file:///1" }], [{ uri: "file:///2" }]]);
});

test("closing ends the iteration and aborts the handler", async () => {
  const { client, traffic, ended } = listening((_, signalled) => signalled);
  const stream = subscriptionsListen(client, wanted);
  await stream.acknowledged;
  const reading = collect(stream);
  await stream.close();
  await stream.close();
  expect(await reading).toEqual([]);
  await expect.poll(() => ended).toEqual(["aborted"]);
  await expect(stream.result).rejects.toThrow("closed");
  const cancelled = traffic.filter(({ message }) => message.method === "notifications/cancelled");
  expect(cancelled).toEqual([
    { from: "client", message: expect.objectContaining({ params: { requestId: 1, reason: "closed" } }) as unknown },
  ]);
});

test("an abort signal closes it too", async () => {
  const { client, ended } = listening((_, signalled) => signalled);
  const abort = new AbortController();
  const stream = subscriptionsListen(client, wanted, { signal: abort.signal });
  await stream.acknowledged;
  abort.abort(new Error("enough"));
  expect(await collect(stream)).toEqual([]);
  await expect.poll(() => ended).toEqual(["aborted"]);
  await expect(stream.result).rejects.toThrow("enough");
});

test("the server can end the stream", async () => {
  const { client, server } = listening(async ({ requestId = "" }, signalled) => {
    await notifyCancelled(server, { requestId });
    await signalled;
  });
  const stream = subscriptionsListen(client, wanted);
  expect(await collect(stream)).toEqual([]);
  await expect(stream.result).rejects.toThrow("ended by the peer");
});

test("a stream that a server does not support rejects in every part", async () => {
  const { client } = connectionPair({ clientSide, serverSide });
  const stream = subscriptionsListen(client, wanted);
  await expect(stream.acknowledged).rejects.toMatchObject({ code: methodNotFound });
  await expect(stream.result).rejects.toMatchObject({ code: methodNotFound });
  expect(await collect(stream)).toEqual([]);
});

test.each<[string, (context: HandlerContext) => Promise<void>, string]>([
  ["another notification comes first", (context) => context.notify("notifications/tools/list_changed"), "came before"],
  ["the result comes first", () => Promise.resolve(), "ended before it began"],
])("a stream is not acknowledged when %s", async (_, script, reason) => {
  const { client, server } = connectionPair({ clientSide, serverSide });
  handleServer(server, { "subscriptions/listen": async (_params, context) => (await script(context), done) });
  await expect(subscriptionsListen(client, wanted).acknowledged).rejects.toThrow(reason);
});
