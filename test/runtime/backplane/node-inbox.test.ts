/** Messages between two nodes, for several parts of a server. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type Backplane, BackplaneError, MemoryBackplane } from "../../../runtime/src/backplane.js";
import { NodeInbox } from "../../../runtime/src/backplane/node-inbox.js";
import { NodeLog } from "../../../runtime/src/backplane/node-log.js";
import { HookedBackplane } from "./hooked-backplane.js";

function inboxOf(backplane: Backplane, node: string) {
  const [received, errors]: [unknown[], unknown[]] = [[], []];
  const inbox = new NodeInbox(backplane, node, (error) => errors.push(error));
  onTestFinished(() => inbox.end());
  for (const type of ["call", "post"]) inbox.on(type, (message) => received.push(message));
  return { inbox, received, errors };
}

test("each node receives its own messages in order, each with the receiver of its type", async () => {
  const backplane = new MemoryBackplane();
  const [a, b] = [inboxOf(backplane, "a"), inboxOf(backplane, "b")];
  const posts: unknown[] = [];
  b.inbox.on("post", ({ n }) => posts.push(n));
  for (let n = 0; n < 300; n++) await a.inbox.send("b", { type: n % 2 ? "post" : "call", n });
  await b.inbox.send("a", { type: "post", n: -1 });
  await vi.waitFor(() => expect([posts.length, b.received.length, a.received.length]).toEqual([150, 150, 1]));
  expect(posts).toEqual(Array.from({ length: 150 }, (_, n) => 2 * n + 1));
  expect(b.received).toEqual(Array.from({ length: 150 }, (_, n) => ({ type: "call", n: 2 * n })));
  expect([a.errors, b.errors]).toEqual([[], []]);
});

test("messages that arrived before the node follows its inbox are received", async () => {
  const backplane = new MemoryBackplane();
  await inboxOf(backplane, "a").inbox.send("b", { type: "call" });
  const { received } = inboxOf(backplane, "b");
  await vi.waitFor(() => expect(received).toEqual([{ type: "call" }]));
});

test("types that the node does not know are ignored, and entries that are not messages are reported", async () => {
  const backplane = new MemoryBackplane();
  const { inbox, received, errors } = inboxOf(backplane, "a");
  for (const type of ["later", "toString", "__proto__"]) await inbox.send("a", { type });
  for (const entry of ["[]", "1", "null", "{}"]) backplane.append("inbox:a", entry, { ttlMs: 1_000, maxEntries: 100 });
  await inbox.send("a", { type: "post" });
  await vi.waitFor(() => expect(received).toEqual([{ type: "post" }]));
  const message = "log inbox:a has an entry of another program; choose another prefix for one of the two";
  expect(errors).toEqual(Array(3).fill(new BackplaneError("unreadable", message)));
});

test("errors of a receiver are reported, and the next message is received", async () => {
  const { inbox, received, errors } = inboxOf(new MemoryBackplane(), "a");
  const error = new Error("broken");
  inbox.on("call", () => {
    throw error;
  });
  await inbox.send("a", { type: "call" });
  await inbox.send("a", { type: "post" });
  await vi.waitFor(() => expect([errors, received]).toEqual([[error], [{ type: "post" }]]));
});

test("each message is received once, also when a subscription fails after the backplane has made it", async () => {
  const backplane = new HookedBackplane();
  const subscribe = backplane.subscribe.bind(backplane);
  let fail = (): void => undefined;
  let count = 0;
  backplane.subscribe = async (...given) => {
    const end = await subscribe(...given);
    if (++count > 1) return end;
    return new Promise((_, reject) => (fail = () => reject(new Error("too late"))));
  };
  const { inbox, received, errors } = inboxOf(backplane, "a");
  await inbox.send("a", { type: "post", n: 1 });
  await vi.waitFor(() => expect(received).toHaveLength(1));
  fail();
  await vi.waitFor(() => expect(errors).toHaveLength(1));
  await inbox.send("a", { type: "post", n: 2 });
  await vi.waitFor(() => expect(count).toBe(2));
  await inbox.send("a", { type: "post", n: 3 });
  await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(3));
  expect(received).toEqual([1, 2, 3].map((n) => ({ type: "post", n })));
});

test("nothing is received after the end", async () => {
  const { inbox, received } = inboxOf(new MemoryBackplane(), "a");
  await inbox.send("a", { type: "post" });
  await vi.waitFor(() => expect(received).toHaveLength(1));
  inbox.end();
  await inbox.send("a", { type: "post" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(received).toHaveLength(1);
});

const long = "x".repeat(20_000);

test("long messages are not kept in the log, and arrive between the others", async () => {
  const backplane = new MemoryBackplane();
  const [a, b] = [inboxOf(backplane, "a"), inboxOf(backplane, "b")];
  const sent = Array.from({ length: 60 }, (_, n) => ({ type: "post", n, text: n % 3 ? "" : long }));
  await Promise.all(sent.map((message) => a.inbox.send("b", message)));
  await vi.waitFor(() => expect(b.received).toHaveLength(sent.length));
  expect(b.received).toEqual(sent);
  const { entries } = backplane.read("inbox:b", { limit: 1_000 });
  expect(entries).toHaveLength(sent.length);
  for (const { text } of entries) {
    expect(text.length).toBeLessThan(100);
    const { stored } = JSON.parse(text) as { stored?: string };
    if (stored !== undefined) expect(backplane.get(stored)).toBeUndefined();
  }
  expect([...a.errors, ...b.errors]).toEqual([]);
});

test("a long message that cannot be stored is an error for its sender, and the next ones arrive", async () => {
  const backplane = new MemoryBackplane();
  const [a, b] = [inboxOf(backplane, "a"), inboxOf(backplane, "b")];
  const error = new Error("full");
  vi.spyOn(backplane, "set").mockImplementationOnce(() => {
    throw error;
  });
  const outcomes = await Promise.allSettled([
    a.inbox.send("b", { type: "post", text: long }),
    a.inbox.send("b", { type: "post", n: 1 }),
  ]);
  expect(outcomes).toMatchObject([{ status: "rejected", reason: error }, { status: "fulfilled" }]);
  await vi.waitFor(() => expect(b.received).toEqual([{ type: "post", n: 1 }]));
});

test("a long message is read again when the backplane fails, and the later ones wait for it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const backplane = new MemoryBackplane();
  const [a, b] = [inboxOf(backplane, "a"), inboxOf(backplane, "b")];
  vi.spyOn(backplane, "get").mockImplementationOnce(() => {
    throw new Error("away");
  });
  await a.inbox.send("b", { type: "post", text: long });
  await a.inbox.send("b", { type: "post", n: 1 });
  await vi.advanceTimersByTimeAsync(999);
  expect(b.received).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(b.received).toEqual([
    { type: "post", text: long },
    { type: "post", n: 1 },
  ]);
  expect(b.errors).toEqual([]);
});

test("a long message that has expired is skipped", async () => {
  const backplane = new MemoryBackplane();
  const { inbox, received, errors } = inboxOf(backplane, "a");
  backplane.append("inbox:a", JSON.stringify({ stored: "message:gone" }), { ttlMs: 1_000, maxEntries: 100 });
  await inbox.send("a", { type: "post" });
  await vi.waitFor(() => expect(received).toEqual([{ type: "post" }]));
  expect(errors).toEqual([]);
});

test("a log delivers what is sent after its position was asked for, also when it could not be read at first", async () => {
  let count = 0;
  const backplane = new HookedBackplane((call) => {
    if (call === "read" && count++ === 0) throw new Error("away");
  });
  const received: unknown[] = [];
  const log = new NodeLog(
    backplane,
    "log",
    { ttlMs: 60_000, maxEntries: 100 },
    { onMessage: ({ n }) => void received.push(n), onGap: () => undefined, onerror: () => undefined },
  );
  onTestFinished(() => log.end());
  expect(await log.position()).toBeUndefined();
  await log.send({ n: 1 });
  await vi.waitFor(() => expect(received).toEqual([1]));
});
