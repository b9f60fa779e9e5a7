/** Streams opened by GET: they carry the messages that belong to no request. */
import { describe, expect, test } from "vitest";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { type Answer, hosts } from "./hosts.js";
import { type Message, open, R4, type RawSession, request, streamable, turn, until } from "./messages.js";
import { Subject } from "./subject.js";

const URI = "test://note";

describe.each(hosts)("$name", ({ open: host }) => {
  async function start(version: string = R4, options?: McpHandlerOptions) {
    const subject = new Subject();
    const at = await host(subject.server, options);
    const session = await open(at, version, { capabilities: { elicitation: {}, roots: {} } });
    return { subject, at, session };
  }

  async function changes(subject: Subject, times = 1): Promise<void> {
    for (let time = 0; time < times; time++) {
      subject.server.sendToolListChanged();
      await turn();
    }
  }

  const methods = (messages: readonly never[]) => (messages as readonly Message[]).map(({ method }) => method);

  test.each(streamable)("%s: sends changes on the open stream", async (version) => {
    const { subject, session } = await start(version);
    const stream = await session.get();
    expect([stream.status, stream.type, stream.header("x-accel-buffering")]).toEqual([200, "text/event-stream", "no"]);
    expect(await stream.block()).toEqual({ comment: "" });
    await changes(subject);
    expect(await stream.message()).toMatchObject({ method: "notifications/tools/list_changed" });
    await session.post(request(1, "resources/subscribe", { uri: URI }));
    subject.server.sendResourceUpdated({ uri: URI });
    expect(await stream.message()).toMatchObject({ method: "notifications/resources/updated", params: { uri: URI } });
    await session.delete();
    expect(await stream.rest()).toEqual([]);
  });

  test("keeps messages until the first GET, in order", async () => {
    const { subject, session } = await start();
    const [connection] = subject.server.server.connections;
    connection?.notifyInBackground("notifications/message", { level: "info", data: 1 });
    connection?.notifyInBackground("notifications/message", { level: "info", data: 1 });
    // Equal change notifications are sent once.
    await changes(subject, 3);
    subject.server.sendPromptListChanged();
    await turn();
    const stream = await session.get();
    await session.delete();
    expect(methods(await stream.messages())).toEqual([
      "notifications/message",
      "notifications/message",
      "notifications/tools/list_changed",
      "notifications/prompts/list_changed",
    ]);
  });

  test("keeps the newest hundred messages", async () => {
    const { subject, session } = await start();
    const [connection] = subject.server.server.connections;
    const asked = connection?.request("roots/list", undefined);
    for (let data = 0; data < 150; data++)
      connection?.notifyInBackground("notifications/message", { level: "info", data });
    expect(subject.reports).toMatchObject([{ code: "LIMIT_EXCEEDED", data: { params: { data: 0 } } }]);
    const stream = await session.get();
    // A request must not get lost.
    const { id } = (await stream.message()) as Message;
    expect(await stream.message()).toMatchObject({ params: { data: 51 } });
    await session.post({ jsonrpc: "2.0", id, result: { roots: [] } });
    expect(await asked).toEqual({ roots: [] });
    await session.delete();
    expect(await stream.messages()).toHaveLength(98);
  });

  test("rejects one more request when only requests are waiting", async () => {
    const { subject } = await start();
    const [connection] = subject.server.server.connections;
    const ask = () => connection?.request("roots/list", undefined);
    for (let count = 0; count < 100; count++) ask()?.catch(() => undefined);
    await expect(ask()).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
  });

  test("does not ping or close a session without a stream", async () => {
    const subject = new Subject({ keepAlive: { intervalMs: 10, failures: 1 } });
    const session = await open(await host(subject.server), R4);
    await turn(80);
    expect((await session.post(request(1, "ping"))).status).toBe(200);
    const stream = await session.get();
    expect(await stream.message()).toMatchObject({ method: "ping" });
    await until(() => subject.server.server.connections.size === 0);
  });

  test("sends each message on exactly one of several streams", async () => {
    const { subject, session } = await start();
    const streams = [await session.get(), await session.get(), await session.get()];
    await changes(subject, 4);
    streams[2]?.cut();
    await turn(20);
    await changes(subject, 3);
    await session.delete();
    const counts = await Promise.all(streams.slice(0, 2).map(async (stream) => (await stream.messages()).length));
    expect(counts.reduce((a, b) => a + b) + (streams[2]?.waiting.filter(({ data }) => data).length ?? 0)).toBe(7);
  });

  test("uses another stream when the current one ends", async () => {
    const { subject, session } = await start();
    const [first, second] = [await session.get(), await session.get()];
    second.cut();
    await turn(30);
    await changes(subject);
    expect(await first.message()).toMatchObject({ method: "notifications/tools/list_changed" });
  });

  test("sends messages of a request on its own stream, not on this one", async () => {
    const { session } = await start();
    const stream = await session.get();
    const said = await session.call(1, "say", { lines: ["a"] });
    expect(methods(await said.messages())).toEqual(["notifications/message", undefined]);
    await session.delete();
    expect(await stream.messages()).toEqual([]);
  });

  test("sends input requests here when responses are JSON only", async () => {
    const { session } = await start(R4, { responseMode: "json" });
    const stream = await session.get();
    const held = session.call(1, "ask-and-wait");
    const { id } = (await stream.message()) as Message;
    await session.post({ jsonrpc: "2.0", id, result: { action: "accept", content: { name: "Ada" } } });
    expect(await (await held).json()).toMatchObject({ result: { content: [{ text: "hello Ada" }] } });
  });

  test("writes comments to idle streams", async () => {
    const { session } = await start(R4, { keepAliveMs: 20 });
    const stream = await session.get();
    for (let count = 0; count < 4; count++) expect(await stream.block()).toEqual({ comment: "" });
  });

  test("rejects more than maxStreams streams until one ends", async () => {
    const { session } = await start(R4, { maxStreams: 2 });
    const streams = [await session.get(), await session.get()];
    const refused = await session.get();
    expect([refused.status, refused.header("retry-after")]).toEqual([503, undefined]);
    streams[0]?.cut();
    let again: Answer | undefined;
    for (let times = 0; times < 100 && again?.status !== 200; times++) {
      again = await session.get();
      await turn(5);
    }
    expect(again?.status).toBe(200);
  });

  test("does not count response streams", async () => {
    const { subject, session } = await start(R4, { maxStreams: 1 });
    const held = session.call(1, "hold", { key: "a" });
    await until(() => subject.holds("a"));
    expect((await session.get()).status).toBe(200);
    subject.release("a");
    expect((await held).status).toBe(200);
  });

  describe("a client that does not read", () => {
    test("loses only its stream", async () => {
      const { subject, at, session } = await start(R4, { maxQueuedBytes: 100_000 });
      const stuck = at.unread({ method: "GET", headers: { accept: "text/event-stream", ...session.headers } });
      const other = await open(at, R4);
      const good = await other.get();
      await stuck.opened;
      const { connections } = subject.server.server;
      expect(connections.size).toBe(2);
      const data = "x".repeat(50_000);
      const [first] = connections;
      // Sockets buffer a few megabytes before messages are queued.
      for (let times = 0; times < 400; times++) {
        first?.notifyInBackground("notifications/message", { level: "info", data });
        if (times % 20 === 0) await turn();
      }
      expect(await stuck.isCut()).toBe(true);
      await changes(subject);
      expect(await good.message()).toMatchObject({ method: "notifications/tools/list_changed" });
      expect((await session.post(request(1, "ping"))).status).toBe(200);
    });
  });

  test("keeps the streams of sessions apart", async () => {
    const { subject, at, session } = await start();
    const others: RawSession[] = [await open(at, R4), await open(at, R4)];
    const streams = await Promise.all([session, ...others].map((one) => one.get()));
    await changes(subject);
    for (const stream of streams)
      expect(await stream.message()).toMatchObject({ method: "notifications/tools/list_changed" });
    for (const stream of streams) expect(stream.waiting).toEqual([]);
  });
});
