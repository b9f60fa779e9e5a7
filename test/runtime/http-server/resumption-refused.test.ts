/** Clients that resume unknown events, and stores that fail. */
import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../../runtime/src/http-server/endpoint.js";
import { type Backplane, MemoryBackplane } from "../../../runtime/src/backplane.js";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { brittleBackplane, patientBackplane, slowBackplane } from "./backplanes.js";
import { hosts } from "./hosts.js";
import { type Message, open, R4, type RawSession, turn, until } from "./messages.js";
import { ada, bob, Subject } from "./subject.js";

describe.each(hosts)("$name", ({ open: host }) => {
  async function start({ backplane, ...options }: McpHandlerOptions & { readonly backplane?: Backplane }) {
    const subject = new Subject({ backplane });
    const at = await host(subject.server, options);
    return { subject, at, session: await open(at, R4, { principal: ada }) };
  }

  describe("rejects a Last-Event-ID", () => {
    const forge: readonly (readonly [string, (id: string) => string])[] = [
      ["invented", () => "nonsense"],
      ["empty", () => ""],
      ["with an invalid number", (id) => id.replace(/\d+$/, "1e3")],
      ["of a later event", (id) => id.replace(/\d+$/, "999")],
      ["with a negative number", (id) => id.replace(/\d+$/, "-1")],
      ["of an unknown stream", (id) => id.replace(/\.\w+_/, ".99_")],
      ["that is a prototype key", () => "__proto__"],
    ];
    test.each(forge)("%s", async (_, forged) => {
      const { session } = await start({ backplane: new MemoryBackplane() });
      const [first] = await (await session.call(1, "say", { lines: ["a"] })).rest();
      const answer = await session.get(forged(first?.id ?? ""));
      expect([answer.status, ((await answer.json()) as Message).error?.code]).toEqual([400, -32600]);
    });

    test("of another session, of the same client or another one", async () => {
      const { at, session } = await start({ backplane: new MemoryBackplane() });
      const [first] = await (await session.call(1, "say", { lines: ["secret"] })).rest();
      for (const principal of [ada, bob]) {
        const other = await open(at, R4, { principal });
        expect((await other.get(first?.id)).status).toBe(400);
      }
    });

    test("that was evicted", async () => {
      const { session } = await start({ backplane: new MemoryBackplane({ maxSize: 1_000 }) });
      const [first] = await (await session.call(1, "say", { lines: ["a", "b".repeat(300)] })).rest();
      await (await session.call(2, "say", { lines: ["c"] })).rest();
      expect((await session.get(first?.id)).status).toBe(400);
    });

    test("that has expired", async () => {
      const { session } = await start({ backplane: new MemoryBackplane(), resumption: { ttlMs: 20 } });
      const [first] = await (await session.call(1, "say", { lines: ["a"] })).rest();
      await turn(60);
      expect((await session.get(first?.id)).status).toBe(400);
    });

    test("except of the session's GET stream, which starts again", async () => {
      const backplane = new MemoryBackplane();
      const { subject, at, session } = await start({ backplane });
      const stream = await session.get();
      const { id } = await stream.block();
      subject.server.sendPromptListChanged();
      await stream.message();
      stream.cut();
      await turn(20);
      expect(backplane.drop(`messages:${session.id}`)).toBe(true);
      const again = await session.get(id);
      expect(again.status).toBe(200);
      subject.server.sendToolListChanged();
      expect(await again.message()).toMatchObject({ method: "notifications/tools/list_changed" });
      expect((await (await open(at, R4, { principal: ada })).get(id)).status).toBe(400);
    });

    test("except without a backplane, where it is ignored", async () => {
      const { session } = await start({});
      expect((await session.get("whatever")).status).toBe(200);
    });
  });

  test("of a session that ends during the lookup", async () => {
    const { backplane, begin, asked, goOn } = patientBackplane();
    const { session } = await start({ backplane, maxStreams: 1 });
    const stream = await session.get();
    const { id } = await stream.block();
    stream.cut();
    await turn(20);
    begin();
    const resumed = session.get(id);
    await until(asked);
    await session.delete();
    goOn();
    expect((await resumed).status).toBe(404);
    expect((session.host.handler.endpoint as Endpoint).streams.hasRoom()).toBe(true);
  });

  describe("resumed streams count as open", () => {
    async function cutOff(session: RawSession): Promise<string> {
      const stream = await session.get();
      let id: string | undefined;
      while (id === undefined) id = (await stream.block()).id;
      stream.cut();
      await until(() => (session.host.handler.endpoint as Endpoint).streams.hasRoom());
      return id;
    }

    test("are rejected beyond maxStreams, except streams that are open", async () => {
      const { subject, session } = await start({ backplane: new MemoryBackplane(), maxStreams: 1 });
      const id = await cutOff(session);
      const open = await session.get();
      const openId = (await open.block()).id;
      expect((await session.get(id)).status).toBe(503);
      const again = await session.get(openId);
      expect(again.status).toBe(200);
      expect((await session.get(id)).status).toBe(503);
      subject.server.sendToolListChanged();
      expect(await again.message()).toMatchObject({ method: "notifications/tools/list_changed" });
    });

    test("count during the lookup", async () => {
      const { session } = await start({ backplane: slowBackplane(), maxStreams: 1 });
      const ids = [await cutOff(session), await cutOff(session)];
      const back = await Promise.all(ids.map((id) => session.get(id)));
      expect(back.map(({ status }) => status).sort()).toEqual([200, 503]);
      back.forEach(({ cut }) => cut());
      await until(() => (session.host.handler.endpoint as Endpoint).streams.hasRoom());
    });
  });

  describe("a failing backplane", () => {
    test("aborts the stream that was written to; requests and other streams continue", async () => {
      const state = brittleBackplane();
      const { subject, session } = await start(state);
      const other = await session.get();
      const stream = await session.call(1, "hold", { key: "k", first: "first", last: "last" });
      await stream.message();
      state.broken = true;
      subject.release("k");
      expect(await stream.isWhole()).toBe(false);
      expect(subject.reports.map(({ message }) => message)).toContain("the backplane is gone");
      expect(await (await session.call(2, "echo", { text: "x" })).json()).toMatchObject({ id: 2, result: {} });
      state.broken = false;
      subject.server.sendToolListChanged();
      expect(await other.message()).toMatchObject({ method: "notifications/tools/list_changed" });
    });

    test("rejects a resumption with 503", async () => {
      const state = brittleBackplane();
      const { subject, session } = await start(state);
      const [first] = await (await session.call(1, "say", { lines: ["a"] })).rest();
      state.broken = true;
      const answer = await session.get(first?.id);
      expect([answer.status, (await answer.text()).includes("gone")]).toEqual([503, false]);
      expect(subject.reports).toHaveLength(1);
      state.broken = false;
      expect(await (await session.get(first?.id)).messages()).toMatchObject([{ params: { data: "a" } }, { id: 1 }]);
    });
  });
});
