/** Whether a response is JSON or a stream, and the form of each. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { type Answer, hosts } from "./hosts.js";
import { call, initialize, type Message, open, plain, R4, R5, type RawSession, request, until } from "./messages.js";
import { Subject, text } from "./subject.js";

const JSON_TYPE = "application/json";
const SSE_TYPE = "text/event-stream";
const META = { "io.modelcontextprotocol/logLevel": "info" };

describe.each(hosts)("$name", ({ open: host }) => {
  async function start(options?: McpHandlerOptions) {
    const subject = new Subject();
    const at = await host(subject.server, options);
    const session = await open(at, R4);
    return { subject, at, session };
  }

  describe.each([R4, R5])("%s", (revision) => {
    const post = (at: { send: RawSession["host"]["send"] }, session: RawSession, tool: string, args: object) =>
      revision === R5 ? at.send(call(1, tool, args, { meta: META })) : session.call(1, tool, args);

    test.each([
      ["auto", "nothing is said before the answer", [], JSON_TYPE],
      ["auto", "something is said before the answer", ["a", "b"], SSE_TYPE],
      ["sse", "nothing is said before the answer", [], SSE_TYPE],
      ["sse", "something is said before the answer", ["a"], SSE_TYPE],
      ["json", "nothing is said before the answer", [], JSON_TYPE],
      ["json", "something is said before the answer, and dropped", ["a"], JSON_TYPE],
    ] as const)("%s: %s", async (responseMode, _, lines, type) => {
      const { at, session } = await start({ responseMode });
      const answer = await post(at, session, "say", { lines });
      expect([answer.status, answer.type]).toEqual([200, type]);
      const said = { result: { content: [{ text: "said" }] } };
      if (type === JSON_TYPE) expect(await answer.json()).toMatchObject(said);
      else
        expect(await answer.messages()).toMatchObject([
          ...lines.map((data) => ({ method: "notifications/message", params: { data } })),
          said,
        ]);
    });

    test("sends headers that keep proxies from buffering and caching streams", async () => {
      const { at, session } = await start();
      const answer = await post(at, session, "say", { lines: ["a"] });
      expect([answer.header("x-accel-buffering"), answer.header("cache-control")]).toEqual([
        "no",
        "no-cache, no-transform",
      ]);
      // Only handshake-era clients may need the field.
      const named = revision === R4 ? { event: "message" } : {};
      expect(await answer.rest()).toEqual([
        { ...named, data: expect.stringContaining("notifications/message") as unknown },
        { ...named, data: expect.stringContaining("said") as unknown },
      ]);
    });

    test("sends messages before the response", async () => {
      const { subject, at, session } = await start();
      const answer = await post(at, session, "hold", { key: "k", first: "first" });
      expect(await answer.message()).toMatchObject({ params: { data: "first" } });
      expect(answer.waiting).toEqual([]);
      subject.release("k");
      expect(await answer.messages()).toMatchObject([{ id: 1, result: {} }]);
      expect(await answer.isWhole()).toBe(true);
    });

    test("turns a slow response into a stream with comments", async () => {
      const { subject, at, session } = await start({ keepAliveMs: 30 });
      const answer = await post(at, session, "hold", { key: "k" });
      expect(answer.type).toBe(SSE_TYPE);
      expect([await answer.block(), await answer.block()]).toEqual([{ comment: "" }, { comment: "" }]);
      subject.release("k");
      expect(await answer.messages()).toMatchObject([{ id: 1, result: {} }]);
    });

    test("writes no comments to a busy stream", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
      onTestFinished(() => void vi.useRealTimers());
      const { subject, at, session } = await start({ keepAliveMs: 150 });
      subject.server.registerTool("chat", {}, async (context) => {
        for (let line = 0; line < 40; line++) {
          context.log("warning", line);
          await vi.advanceTimersByTimeAsync(100);
        }
        return text("said");
      });
      const answer = await post(at, session, "chat", {});
      const blocks = await answer.rest();
      expect(blocks).toHaveLength(41);
      expect(blocks.filter(({ comment }) => comment !== undefined)).toEqual([]);
    });

    test("keeps a slow response as JSON with responseMode json", async () => {
      const { subject, at, session } = await start({ keepAliveMs: 20, responseMode: "json" });
      const answer = post(at, session, "hold", { key: "k" });
      await until(() => subject.holds("k"));
      await pause(100);
      subject.release("k");
      expect((await answer).type).toBe(JSON_TYPE);
    });

    test("writes no comments with keepAliveMs: 0", async () => {
      const { subject, at, session } = await start({ keepAliveMs: 0 });
      const answer = post(at, session, "hold", { key: "k" });
      await until(() => subject.holds("k"));
      await pause(60);
      subject.release("k");
      expect((await answer).type).toBe(JSON_TYPE);
    });

    test("passes the principal and the HTTP request to handlers", async () => {
      const { at } = await start();
      const principal = { issuer: "https://issuer.example", subject: "eve" };
      const mine = await open(at, R4, { principal });
      const sent =
        revision === R5
          ? call(1, "facts", undefined, { principal })
          : mine.sent(request(1, "tools/call", { name: "facts" }));
      const answer = await at.send({ ...sent, path: "/mcp?a=1", headers: { ...sent.headers, "x-own": "own" } });
      const { result } = (await answer.json()) as Message;
      const [{ text }] = result?.["content"] as [{ text: string }];
      expect(JSON.parse(text)).toEqual([principal, "/mcp?a=1", "own", null]);
    });
  });

  test("responds to a batch with JSON", async () => {
    const { at } = await start();
    const session = await open(at, "2025-03-26");
    const answer = await session.post([
      request(1, "ping"),
      { jsonrpc: "2.0", method: "notifications/unknown" },
      request("1", "tools/call", { name: "echo", arguments: { text: "x" } }),
      request(2, "nope"),
    ]);
    expect(answer.type).toBe(JSON_TYPE);
    expect(((await answer.json()) as Message[]).map(({ id }) => id).sort()).toEqual([1, 2, "1"].sort());
    expect((await session.post([{ jsonrpc: "2.0", method: "notifications/unknown" }])).status).toBe(202);
  });

  test("turns a batch response into a stream when a handler sends messages", async () => {
    const { at } = await start();
    const session = await open(at, "2025-03-26");
    const say = (id: number, line: string) => request(id, "tools/call", { name: "say", arguments: { lines: [line] } });
    const answer = await session.post([say(1, "a"), say(2, "b")]);
    expect(answer.type).toBe(SSE_TYPE);
    const [a, b, responses] = (await answer.messages()) as unknown as [Message, Message, Message[]];
    expect([a.params?.["data"], b.params?.["data"]]).toEqual(["a", "b"]);
    expect(responses.map(({ id }) => id)).toEqual([1, 2]);
  });

  describe("a cancelled request gets no response", () => {
    const cancel = (requestId: unknown) => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    });
    const hold = (id: unknown, key: string) => request(id, "tools/call", { name: "hold", arguments: { key } });

    test("its POST ends without one", async () => {
      const { subject, session } = await start();
      const held = session.call(1, "hold", { key: "k" });
      await until(() => subject.holds("k"));
      expect((await session.post(cancel(1))).status).toBe(202);
      const answer = await held;
      // 202 is for notifications and responses (2025-03-26, transports: sending messages).
      expect([answer.status, answer.type, await answer.text(), subject.aborted]).toEqual([200, SSE_TYPE, "", ["k"]]);
      expect((await session.call(1, "echo", { text: "x" })).status).toBe(200);
    });

    test("its stream ends without one", async () => {
      const { subject, session } = await start();
      const answer = await session.call(1, "hold", { key: "k", first: "first" });
      await answer.message();
      await session.post(cancel(1));
      expect([await answer.rest(), await answer.isWhole(), subject.aborted]).toEqual([[], true, ["k"]]);
    });

    test("in a batch, the other requests get responses", async () => {
      const { subject, at } = await start();
      const session = await open(at, "2025-03-26");
      const held = session.post([hold(1, "a"), hold(2, "b"), request(3, "ping")]);
      await until(() => subject.holds("a") && subject.holds("b"));
      await session.post(cancel(1));
      subject.release("b");
      const answer = await held;
      expect(((await answer.json()) as Message[]).map(({ id }) => id)).toEqual([3, 2]);
      expect((await session.call(1, "echo", { text: "x" })).status).toBe(200);
    });

    test("a batch of cancelled requests ends without a response", async () => {
      const { subject, at } = await start();
      const session = await open(at, "2025-03-26");
      const held = session.post([hold(1, "a"), hold(2, "b")]);
      await until(() => subject.holds("a") && subject.holds("b"));
      await session.post([cancel(1), cancel(2)]);
      const answer = await held;
      expect([answer.status, answer.type, await answer.text()]).toEqual([200, SSE_TYPE, ""]);
    });
  });

  test("rejects an id that is in use in a session, and a repeated id in a batch", async () => {
    const { subject, at } = await start();
    const session = await open(at, "2025-03-26");
    const held = session.call(1, "hold", { key: "k" });
    await until(() => subject.holds("k"));
    for (const body of [request(1, "ping"), [request(1, "ping")], [request(2, "ping"), request(2, "ping")]])
      expect((await session.post(body)).status).toBe(400);
    const other = await session.post(request("1", "ping"));
    expect(await other.json()).toEqual({ jsonrpc: "2.0", id: "1", result: {} });
    subject.release("k");
    expect((await held).status).toBe(200);
  });

  test("two clients with equal ids each get their own response", async () => {
    const { subject, at } = await start();
    const [a, b] = [await open(at, R4), await open(at, R4)];
    const answers = [
      a.call(1, "hold", { key: "a" }),
      b.call(1, "hold", { key: "b" }),
      at.send(call(1, "hold", { key: "c" })),
      at.send(call(1, "hold", { key: "d" })),
    ];
    await until(() => ["a", "b", "c", "d"].every((key) => subject.holds(key)));
    for (const key of ["d", "b", "c", "a"]) subject.release(key);
    const texts = await Promise.all(answers.map(async (answer: Promise<Answer>) => (await answer).json()));
    expect(texts).toMatchObject(["a", "b", "c", "d"].map((text) => ({ id: 1, result: { content: [{ text }] } })));
  });

  test("sends no session id in the stateless era or without sessions", async () => {
    const { at } = await start();
    expect((await at.send(call(1, "echo", { text: "x" }))).header("mcp-session-id")).toBeUndefined();
    const refused = await at.send(plain(request(1, "initialize", {})));
    expect([refused.status, refused.header("mcp-session-id")]).toEqual([200, undefined]);
    expect((await at.send(plain(initialize(R4)))).header("mcp-session-id")).toMatch(/^[\x21-\x7e]{32,}$/);
  });
});
