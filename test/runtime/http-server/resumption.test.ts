/** Streams that clients resume: event ids, the first event, polling. */
import { describe, expect, test } from "vitest";
import { type Backplane, MemoryBackplane } from "../../../runtime/src/backplane.js";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import type { Block } from "./blocks.js";
import { patientBackplane, slowBackplane } from "./backplanes.js";
import { type Answer, hosts } from "./hosts.js";
import {
  call,
  initialize,
  type Message,
  open,
  plain,
  R2,
  R3,
  R4,
  type RawSession,
  request,
  streamable,
  turn,
  until,
} from "./messages.js";
import { ada, Subject } from "./subject.js";

const stores: readonly (readonly [string, () => Backplane])[] = [
  ["a synchronous backplane", () => new MemoryBackplane()],
  ["an asynchronous backplane", slowBackplane],
];

const data = (blocks: readonly Block[]): unknown[] =>
  blocks.flatMap(({ data }) => {
    if (!data) return [];
    const { method, params, id } = JSON.parse(data) as Message;
    return [method === undefined ? { id } : (params?.["data"] ?? method)];
  });

describe.each(hosts)("$name", ({ open: host }) => {
  async function start(
    { backplane, ...options }: McpHandlerOptions & { readonly backplane?: Backplane },
    version = R4,
  ) {
    const subject = new Subject({ backplane });
    const at = await host(subject.server, options);
    return { subject, at, session: await open(at, version, { principal: ada }) };
  }

  async function lastId(stream: Answer): Promise<string> {
    for (;;) {
      const { id } = await stream.block();
      if (id !== undefined) return id;
    }
  }

  describe("the start of a stream", () => {
    const say = (session: RawSession) => session.call(1, "say", { lines: ["a"] });

    test.each(streamable)("%s without a backplane: no ids, no first event", async (version) => {
      const { session } = await start({ retryInterval: 50 }, version);
      for (const block of await (await say(session)).rest()) expect(Object.keys(block)).toEqual(["event", "data"]);
      expect(await (await session.get()).block()).toEqual({ comment: "" });
    });

    test.each([R2, R3])("%s with one: ids, and no first event", async (version) => {
      const { session } = await start({ backplane: new MemoryBackplane(), retryInterval: 50 }, version);
      const blocks = await (await say(session)).rest();
      expect(blocks.map((block) => Object.keys(block))).toEqual([
        ["event", "id", "data"],
        ["event", "id", "data"],
      ]);
      expect(await (await session.get()).block()).toEqual({ comment: "" });
    });

    test("2025-11-25 with one: an event with only an id, and the retry interval", async () => {
      const { session } = await start({ backplane: new MemoryBackplane(), retryInterval: 50 });
      const blocks = await (await say(session)).rest();
      expect(blocks[0]).toEqual({ retry: "50", id: expect.stringMatching(/^[\x21-\x7e]+$/) as unknown, data: "" });
      expect(blocks.slice(1).map((block) => Object.keys(block))).toEqual([
        ["event", "id", "data"],
        ["event", "id", "data"],
      ]);
      expect(await (await session.get()).block()).toMatchObject({ retry: "50", data: "" });
    });

    test("has no retry interval without retryInterval", async () => {
      const { session } = await start({ backplane: new MemoryBackplane() });
      expect(Object.keys((await (await say(session)).rest())[0] ?? {})).toEqual(["id", "data"]);
    });

    test("has ids that are unique in a session", async () => {
      const { session } = await start({ backplane: new MemoryBackplane() });
      const streams = [await session.get(), await say(session), await session.call(2, "say", { lines: ["b"] })];
      await session.delete();
      const ids = (await Promise.all(streams.map((stream) => stream.rest()))).flat().flatMap(({ id }) => id ?? []);
      expect([new Set(ids).size, ids.length]).toEqual([7, 7]);
    });

    test("has neither in the stateless era", async () => {
      const { at } = await start({ backplane: new MemoryBackplane(), responseMode: "sse", retryInterval: 50 });
      for (const block of await (await at.send(call(1, "echo", { text: "x" }))).rest())
        expect(Object.keys(block)).toEqual(["data"]);
      const answer = await at.send(call(2, "close-sse", { key: "k" }));
      expect(await answer.messages()).toMatchObject([{ result: { content: [{ text: "cannot" }] } }]);
    });

    test("has neither in handshake-era responses without a session", async () => {
      const subject = new Subject({ backplane: new MemoryBackplane() });
      const at = await host(subject.server, { sessions: false });
      const answer = await at.send(
        plain(request(1, "tools/call", { name: "say", arguments: { lines: ["a"] } }), {
          headers: { "mcp-protocol-version": R4 },
        }),
      );
      for (const block of await answer.rest()) expect(Object.keys(block)).toEqual(["event", "data"]);
    });
  });

  describe.each(stores)("%s", (_, backplane) => {
    test.each(streamable)("%s: continues a request whose stream broke, and replays its response", async (version) => {
      const { subject, session } = await start({ backplane: backplane() }, version);
      const broken = await session.call(1, "hold", { key: "k", first: "first", last: "last" });
      let seen = await broken.block();
      if (!seen.data) seen = await broken.block();
      await until(() => subject.holds("k"));
      broken.cut();
      await turn(20);
      subject.release("k");
      await turn(20);
      expect(subject.aborted).toEqual([]);
      const resumed = await session.get(seen.id);
      expect([resumed.status, data(await resumed.rest())]).toEqual([200, ["last", { id: 1 }]]);
    });

    test("sends the rest to a client that resumes while the request runs", async () => {
      const { subject, session } = await start({ backplane: backplane() });
      const broken = await session.call(1, "hold", { key: "k", first: "first", last: "last" });
      const id = await lastId(broken);
      broken.cut();
      const resumed = await session.get(id);
      expect(await resumed.message()).toMatchObject({ params: { data: "first" } });
      subject.release("k");
      expect(data(await resumed.rest())).toEqual(["last", { id: 1 }]);
    });

    test("sends the head to a client that has missed nothing", async () => {
      const { subject, session } = await start({ backplane: backplane(), keepAliveMs: 0 });
      const broken = await session.call(1, "hold", { key: "k", first: "first" });
      let seen = await broken.block();
      while (!seen.data) seen = await broken.block();
      broken.cut();
      const resumed = await session.get(seen.id);
      expect(resumed.status).toBe(200);
      subject.release("k");
      expect(data(await resumed.rest())).toEqual([{ id: 1 }]);
    });

    test("accepts a resumption before the server notices the disconnect", async () => {
      const { subject, session } = await start({ backplane: backplane() });
      const old = await session.call(1, "hold", { key: "k", first: "first", last: "last" });
      const resumed = await session.get(await lastId(old));
      expect(await old.isWhole()).toBe(true);
      subject.release("k");
      expect(data(await resumed.rest())).toEqual(["first", "last", { id: 1 }]);
    });

    test("continues with the last of several concurrent resumptions", async () => {
      const { subject, session } = await start({ backplane: backplane() });
      const old = await session.call(1, "hold", { key: "k", first: "first", last: "last" });
      const id = await lastId(old);
      const resumed = await Promise.all([session.get(id), session.get(id), session.get(id)]);
      await turn(20);
      subject.release("k");
      const all = await Promise.all(resumed.map(async (one) => data(await one.rest())));
      expect(all.filter((one) => one.length === 3)).toEqual([["first", "last", { id: 1 }]]);
    });

    test("resumes a stream opened by GET, with the messages sent meanwhile", async () => {
      const { subject, session } = await start({ backplane: backplane() });
      const first = await session.get();
      const id = await lastId(first);
      subject.server.sendToolListChanged();
      expect(await first.message()).toMatchObject({ method: "notifications/tools/list_changed" });
      first.cut();
      await turn(20);
      subject.server.sendPromptListChanged();
      await turn();
      const second = await session.get(id);
      expect(await second.message()).toMatchObject({ method: "notifications/tools/list_changed" });
      expect(await second.message()).toMatchObject({ method: "notifications/prompts/list_changed" });
      subject.server.sendResourceListChanged();
      expect(await second.message()).toMatchObject({ method: "notifications/resources/list_changed" });
    });

    test("lets a handler close the stream and continue", async () => {
      const { subject, session } = await start({ backplane: backplane(), retryInterval: 20 });
      const first = await session.call(1, "close-sse", { key: "k", retryMs: 7 });
      const blocks = await first.rest();
      expect(blocks).toEqual([{ retry: "20", id: expect.anything() as unknown, data: "" }, { retry: "7" }]);
      expect(await first.isWhole()).toBe(true);
      subject.release("k");
      await turn(20);
      expect(data(await (await session.get(blocks[0]?.id)).rest())).toEqual(["while away", { id: 1 }]);
    });

    test("lets a handler close the session's GET streams", async () => {
      const { subject, session } = await start({ backplane: backplane(), retryInterval: 9 });
      const stream = await session.get();
      const id = await lastId(stream);
      expect(await (await session.call(1, "close-standalone")).json()).toMatchObject({
        result: { content: [{ text: "closed" }] },
      });
      expect(await stream.rest()).toEqual(expect.arrayContaining([{ retry: "9" }]));
      subject.server.sendToolListChanged();
      await turn();
      const again = await session.get(id);
      expect(await again.message()).toMatchObject({ method: "notifications/tools/list_changed" });
    });

    test("loses no messages while the stream is closed", async () => {
      const { subject, session } = await start({ backplane: backplane() });
      const stream = await session.get();
      const id = await lastId(stream);
      stream.cut();
      await turn(20);
      const [connection] = subject.server.server.connections;
      for (let times = 0; times < 150; times++)
        connection?.notifyInBackground("notifications/message", { level: "info", data: times });
      const again = await session.get(id);
      for (let times = 0; times < 150; times++)
        expect(await again.message()).toMatchObject({ params: { data: times } });
      expect(subject.reports).toEqual([]);
    });

    test("delivers the sent messages when the session ends", async () => {
      const { subject, session } = await start({ backplane: backplane() });
      const stream = await session.call(1, "hold", { key: "k", first: "first", last: "last" });
      await until(() => subject.holds("k"));
      const closed = session.host.handler.close(2_000);
      subject.release("k");
      await closed;
      expect(data(await stream.rest())).toEqual(["first", "last", { id: 1 }]);
    });
  });

  test("does not count a client that disconnects during the lookup as a reader", async () => {
    const { backplane, begin, asked, goOn } = patientBackplane();
    const { subject, at, session } = await start({ backplane, sessions: { idleMs: 200 } });
    const stream = await session.get();
    const id = await lastId(stream);
    stream.cut();
    await turn(20);
    begin();
    const headers = { accept: "text/event-stream", ...session.headers, "last-event-id": id };
    const left = at.sendAndLeave({ method: "GET", headers, principal: ada }, until(asked));
    await left;
    await turn(20);
    goOn();
    // No client reads, so the session can expire.
    await until(() => subject.server.server.connections.size === 0);
  });

  test.each([R2, R3])("%s: handlers cannot close streams", async (version) => {
    const { session } = await start({ backplane: new MemoryBackplane() }, version);
    for (const tool of ["close-sse", "close-standalone"])
      expect(await (await session.call(1, tool, tool === "close-sse" ? { key: "k" } : {})).json()).toMatchObject({
        result: { content: [{ text: "cannot" }] },
      });
  });

  test("handlers cannot close streams without a backplane", async () => {
    const { session } = await start({});
    for (const tool of ["close-sse", "close-standalone"])
      expect(await (await session.call(1, tool, tool === "close-sse" ? { key: "k" } : {})).json()).toMatchObject({
        result: { content: [{ text: "cannot" }] },
      });
  });

  test("sends the session id when the response to initialize is a stream", async () => {
    const { at } = await start({ backplane: new MemoryBackplane(), responseMode: "sse" });
    const answer = await at.send(plain(initialize(R4)));
    expect(answer.header("mcp-session-id")).toMatch(/^[\x21-\x7e]+$/);
    expect(await answer.messages()).toMatchObject([{ result: { protocolVersion: R4 } }]);
  });
});
