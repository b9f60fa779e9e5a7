/** Handshake sessions whose backplane is slow or fails, and whose clients are hostile. */
import { expect, onTestFinished, test, vi } from "vitest";
import { handlerStats } from "../../../runtime/src/operations.js";
import { initialize, notification, request, turn } from "../http-server/messages.js";
import { HookedBackplane } from "./hooked-backplane.js";
import { eventsOf, firstId, nextMessage, type Node, Raw, startNode, startNodes, uri } from "./session-nodes.js";

const ping = async (raw: Raw, node: Node): Promise<number> => (await raw.send(node, "POST", request(1, "ping"))).status;
const isGone = (): never => {
  throw new Error("the backplane is gone");
};

/** Lets the next matching call wait until the returned function is called. */
function holdNext(backplane: HookedBackplane, matches: (call: string, name: string) => boolean) {
  const state = { isWaiting: false, goOn: (): void => undefined };
  backplane.before = (call, name) => {
    if (!matches(call, name)) return;
    backplane.before = () => undefined;
    state.isWaiting = true;
    return new Promise((resolve) => (state.goOn = resolve));
  };
  return state;
}

test("an older GET stream gets the messages again, also when none was sent while a newer one was open", async () => {
  const backplane = new HookedBackplane();
  const [a, b, c] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  const older = eventsOf(await raw.send(b, "GET"));
  const newer = eventsOf(await raw.send(c, "GET"));
  await newer.next();
  await newer.return(undefined);
  await turn(10);
  a.server.sendResourceListChanged();
  expect((await nextMessage(older)).data).toContain("resources/list_changed");
});

test("a node that takes a session over keeps it at once, as little of its time may be left", async () => {
  const backplane = new HookedBackplane();
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  const extended: string[] = [];
  backplane.before = (call, name) => {
    if (call === "extend") extended.push(name);
  };
  expect(await ping(raw, b)).toBe(200);
  expect(extended).toContain(`session:${raw.id}`);
});

test("a request that waits at a node which shuts down gets 503: its session goes on at other nodes", async () => {
  const backplane = new HookedBackplane();
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw().open(a, b);
  const reading = holdNext(backplane, (call, name) => call === "get" && name === `session:${raw.id}`);
  const answer = raw.send(b, "POST", notification("notifications/initialized"));
  await vi.waitFor(() => expect(reading.isWaiting).toBe(true));
  await b.handler.close(0);
  reading.goOn();
  expect((await answer).status).toBe(503);
  expect(await ping(raw, a)).toBe(200);
});

test("a message is not lost when the backplane fails just before it is sent", async () => {
  const backplane = new HookedBackplane();
  const [a, b, c] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  const events = eventsOf(await raw.send(b, "GET"));
  const id = await firstId(events);
  backplane.before = (call, name) => (call === "set" && name.startsWith("listener:") ? isGone() : undefined);
  a.server.sendToolListChanged();
  // The connection is aborted, so that the client resumes.
  await expect(nextMessage(events)).rejects.toThrow();
  backplane.before = () => undefined;
  const resumed = eventsOf(await raw.send(c, "GET", undefined, { "last-event-id": id }));
  expect((await nextMessage(resumed)).data).toContain("tools/list_changed");
});

test.each(["before", "after"])("a message arrives once when a write fails %s it was carried out", async (when) => {
  const backplane = new HookedBackplane();
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw("2025-06-18").open(a);
  const events = eventsOf(await raw.send(b, "GET"));
  await turn(10);
  const set = backplane.set.bind(backplane);
  let count = 0;
  backplane.set = async (...given) => {
    const fails = given[0].startsWith("listener:") && count++ === 0;
    if (fails && when === "before") isGone();
    const version = await set(...given);
    if (fails) isGone();
    return version;
  };
  a.server.sendToolListChanged();
  expect((await nextMessage(events)).data).toContain("tools/list_changed");
  a.server.sendResourceListChanged();
  expect((await nextMessage(events)).data).toContain("resources/list_changed");
  expect(count).toBe(when === "before" ? 3 : 2);
  expect([...a.errors, ...b.errors]).toEqual([]);
});

test("a stream that another node took over while a write failed sends nothing more", async () => {
  const backplane = new HookedBackplane();
  const [a, b, c] = await startNodes(() => backplane);
  const raw = await new Raw("2025-06-18").open(a);
  const older = eventsOf(await raw.send(b, "GET"));
  await turn(10);
  const set = backplane.set.bind(backplane);
  let newer: ReturnType<typeof eventsOf> | undefined;
  backplane.set = async (...given) => {
    if (!given[0].startsWith("listener:")) return set(...given);
    backplane.set = set;
    newer = eventsOf(await raw.send(c, "GET"));
    return isGone();
  };
  a.server.sendToolListChanged();
  await vi.waitFor(() => expect(newer).toBeDefined());
  if (newer) expect((await nextMessage(newer)).data).toContain("tools/list_changed");
  const rest = nextMessage(older).then(({ data }) => data);
  await raw.send(a, "DELETE");
  await expect(rest).rejects.toThrow("the stream has ended");
});

test("after a message that could not be stored, a client that resumes at another node gets an error, and no later message", async () => {
  const backplane = new HookedBackplane();
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  const call = request(7, "tools/call", { name: "hold", arguments: {} });
  const events = eventsOf(await raw.send(a, "POST", call));
  const { id, data } = await nextMessage(events);
  expect(data).toContain("first");
  // The last message and the response follow at once, while the backplane is asked to store the message.
  let count = 0;
  backplane.before = async (name) => {
    await turn(1);
    if (name === "append" && count++ === 0) isGone();
  };
  a.state.release();
  await expect(nextMessage(events)).rejects.toThrow();
  const resumed = eventsOf(await raw.send(b, "GET", undefined, { "last-event-id": id }));
  expect(JSON.parse((await nextMessage(resumed)).data)).toMatchObject({ id: 7, error: { code: -32603 } });
  expect((await resumed.next()).done).toBe(true);
});

test("a subscription is known at a node that opens a GET stream at the same time", async () => {
  const backplane = new HookedBackplane();
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  // The record has been read before.
  const lookup = holdNext(backplane, (call, name) => call === "get" && name.startsWith("listener:"));
  const opening = raw.send(b, "GET");
  await vi.waitFor(() => expect(lookup.isWaiting).toBe(true));
  expect((await raw.send(a, "POST", request(1, "resources/subscribe", { uri }))).status).toBe(200);
  lookup.goOn();
  const events = eventsOf(await opening);
  a.server.sendResourceUpdated({ uri });
  expect((await nextMessage(events)).data).toContain("resources/updated");
});

test("a node that shuts down takes no further session", async () => {
  const backplane = new HookedBackplane();
  const [a, b, c] = [startNode(backplane, "a"), startNode(backplane, "b"), startNode(backplane, "c")];
  const raw = await new Raw().open(a);
  await b.handler.close(0);
  const answered = notification("notifications/cancelled", { requestId: 1 });
  expect((await raw.send(b, "POST", answered)).status).toBe(503);
  expect(b.server.server.connections.size).toBe(0);
  const lookup = holdNext(backplane, (call, name) => call === "get" && name.startsWith("session:"));
  const status = ping(raw, c);
  await vi.waitFor(() => expect(lookup.isWaiting).toBe(true));
  await c.handler.close(0);
  lookup.goOn();
  expect(await status).toBe(503);
  expect(c.server.server.connections.size).toBe(0);
  expect(await ping(raw, a)).toBe(200);
});

test.each(["POST", "GET"])("a stream of a %s is not resumed in a session that ends meanwhile", async (kind) => {
  const backplane = new HookedBackplane();
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  expect(await ping(raw, b)).toBe(200);
  const call = request(7, "tools/call", { name: "hold", arguments: {} });
  const events = eventsOf(await raw.send(a, kind, kind === "POST" ? call : undefined));
  const id = await firstId(events);
  await turn(10);
  const before = backplane.subscriptions;
  const resuming = holdNext(backplane, (name) => name === (kind === "POST" ? "read" : "append"));
  const resumed = raw.send(b, "GET", undefined, { "last-event-id": id });
  await vi.waitFor(() => expect(resuming.isWaiting).toBe(true));
  expect((await raw.send(b, "DELETE")).status).toBe(200);
  resuming.goOn();
  expect((await resumed).status).toBe(404);
  expect(backplane.subscriptions).toBeLessThanOrEqual(before);
});

test("each node counts the memory of the subscriptions that it knows", async () => {
  const backplane = new HookedBackplane();
  const [a, b, c] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  const held = (node: Node): number => handlerStats(node.handler).heldBytes;
  expect(await ping(raw, b)).toBe(200);
  const empty = [held(a), held(b)];
  const long = `file:///${"x".repeat(5_000)}`;
  for (let times = 0; times < 3; times++) {
    await raw.send(a, "POST", request(1, "resources/subscribe", { uri: long }));
    await ping(raw, b);
    expect(held(a) - (empty[0] ?? 0)).toBe(long.length);
    expect(held(b) - (empty[1] ?? 0)).toBe(long.length);
    await raw.send(b, "POST", request(1, "resources/unsubscribe", { uri: long }));
    await ping(raw, a);
    expect([held(a), held(b)]).toEqual(empty);
  }
  // A node that takes the session over counts what there is.
  await raw.send(a, "POST", request(1, "resources/subscribe", { uri }));
  await ping(raw, c);
  expect(held(c) - (empty[1] ?? 0)).toBe(uri.length);
  await raw.send(b, "DELETE");
  await vi.waitFor(() => expect([a, b, c].map(held)).toEqual([0, 0, 0]));
});

test("a backplane that throws at once lets no rejection unhandled", async () => {
  const backplane = new HookedBackplane();
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  backplane.before = isGone;
  expect(await ping(raw, b)).toBe(503);
  expect((await raw.send(a, "DELETE")).status).toBe(503);
  await turn(10);
  expect(unhandled).toEqual([]);
});

test("a client cannot let the nodes keep large messages for each other", async () => {
  const backplane = new HookedBackplane();
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw("2025-03-26").open(a);
  const later = await new Raw().open(a);
  const long = "x".repeat(100_000);
  const node = await firstId(eventsOf(await later.send(b, "GET")));
  const sizes: number[] = [];
  const { append } = backplane;
  backplane.append = (log, text, options) => {
    if (log.startsWith("sessions:")) sizes.push(text.length);
    return append(log, text, options);
  };
  const cancel = (requestId: string, reason: string) => notification("notifications/cancelled", { requestId, reason });
  expect((await raw.send(a, "POST", cancel("1", long))).status).toBe(202);
  expect((await raw.send(a, "POST", cancel(long, ""))).status).toBe(202);
  const lastEventId = `${node.slice(0, node.lastIndexOf("_"))}${"1".repeat(10_000)}_`;
  expect((await later.send(a, "GET", undefined, { "last-event-id": lastEventId })).status).toBe(400);
  expect(sizes.filter((size) => size > 2_000)).toEqual([]);
  sizes.splice(0);
  // Longer than a batch may be.
  await raw.send(
    a,
    "POST",
    Array.from({ length: 1_001 }, () => cancel("1", "")),
  );
  expect(sizes).toEqual([]);
});

test("the response to initialize is an error when the session cannot be kept", async () => {
  const backplane = new HookedBackplane(isGone);
  const [a] = await startNodes(() => backplane);
  expect((await new Raw().send(a, "POST", initialize("2025-11-25"))).status).toBe(503);
  expect(a.server.server.connections.size).toBe(0);
});

test("a change that cannot be kept holds at no node", async () => {
  const backplane = new HookedBackplane();
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  const call = async (node: Node): Promise<string> =>
    (await raw.send(node, "POST", request(1, "tools/call", { name: "log", arguments: {} }))).text();
  for (const node of [a, b]) await call(node);
  backplane.before = (one) => (one === "set" ? isGone() : undefined);
  const change = await raw.send(a, "POST", request(2, "logging/setLevel", { level: "debug" }));
  expect(await change.json()).toMatchObject({ error: { code: -32603 } });
  backplane.before = () => undefined;
  for (const node of [a, b]) expect(await call(node)).not.toContain("detail");
});

test("a client that continues a stream while it ends the session gets 404, though the messages are gone", async () => {
  const backplane = new HookedBackplane();
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  const log = `messages:${raw.id}`;
  const events = eventsOf(await raw.send(b, "GET"));
  a.server.sendToolListChanged();
  const { id } = await nextMessage(events);
  await events.return(undefined);
  await turn(10);
  // The messages have expired, and there is a new one.
  await backplane.drop(log);
  await backplane.append(log, '\n{"jsonrpc":"2.0"}', { ttlMs: 60_000, maxEntries: 10 });
  let reads = 0;
  const looking = holdNext(backplane, (call, name) => call === "read" && name === log && ++reads === 2);
  const resumed = raw.send(b, "GET", undefined, { "last-event-id": id });
  await vi.waitFor(() => expect(looking.isWaiting).toBe(true));
  expect((await raw.send(b, "DELETE")).status).toBe(200);
  looking.goOn();
  expect((await resumed).status).toBe(404);
});
