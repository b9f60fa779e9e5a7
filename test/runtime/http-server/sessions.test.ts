/** Sessions of the handshake era: creation, use, end. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { hosts } from "./hosts.js";
import {
  claim,
  initialize,
  type Message,
  notification,
  open,
  plain,
  R1,
  R2,
  R3,
  R4,
  R5,
  type RawSession,
  request,
  streamable,
  turn,
  until,
} from "./messages.js";
import { ada, bob, Subject } from "./subject.js";

describe.each(hosts)("$name", ({ open: host }) => {
  async function start(options?: McpHandlerOptions) {
    const subject = new Subject();
    return { subject, at: await host(subject.server, options) };
  }

  test.each(streamable)("%s: opens, uses and ends a session", async (version) => {
    const { at, subject } = await start();
    const session = await open(at, version);
    expect(await (await session.call(1, "echo", { text: "x" })).json()).toMatchObject({
      result: { content: [{ text: "x" }] },
    });
    const stream = await session.get();
    expect((await session.delete()).status).toBe(200);
    expect([await stream.isWhole(), subject.server.server.connections.size]).toEqual([true, 0]);
    for (const late of [
      await session.post(request(2, "ping")),
      await session.get(),
      await session.delete(),
      await session.post(notification("notifications/initialized")),
    ])
      expect(late.status).toBe(404);
  });

  test("gives each session a random UUID", async () => {
    const { at } = await start();
    const [{ id: one }, { id: other }] = [await open(at, R4), await open(at, R4)];
    for (const id of [one, other])
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(one).not.toBe(other);
  });

  test.each<[string, McpHandlerOptions, number]>([
    ["opens a stream of HTTP+SSE", {}, 200],
    ["without HTTP+SSE, gets 400", { legacySse: false }, 400],
    ["without sessions, gets 405", { sessions: false }, 405],
  ])("a GET that names no session %s", async (_, options, status) => {
    const { at } = await start(options);
    const answer = await at.send({ method: "GET", headers: { accept: "*/*" } });
    answer.cut();
    expect(answer.status).toBe(status);
  });

  test("supports 2024-11-05 in a session, with all features of the transport", async () => {
    const { at, subject } = await start();
    const session = await open(at, R1);
    expect((await session.call(1, "echo", { text: "x" })).status).toBe(200);
    const stream = await session.get();
    subject.server.sendToolListChanged();
    expect(await stream.message()).toMatchObject({ method: "notifications/tools/list_changed" });
  });

  test("aborts a running request with its session", async () => {
    const { at, subject } = await start();
    const session = await open(at, R4);
    const [plainly, streaming] = [
      session.call(1, "hold", { key: "a" }),
      await session.call(2, "hold", { key: "b", first: "x" }),
    ];
    await until(() => subject.holds("a"));
    await session.delete();
    expect([(await plainly).status, await streaming.isWhole(), subject.aborted]).toEqual([404, true, ["a", "b"]]);
  });

  describe("a session", () => {
    test.each([
      ["another", bob],
      ["one of another issuer", { ...ada, issuer: "https://other.example" }],
      ["a request without a principal", undefined],
    ])("cannot be used by %s", async (_, principal) => {
      const { at } = await start();
      const session = await open(at, R4, { principal: ada });
      const foreign = Object.assign(Object.create(session) as RawSession, { principal });
      expect((await foreign.post(request(1, "ping"))).status).toBe(404);
      expect((await foreign.post({ jsonrpc: "2.0", id: 1, result: {} })).status).toBe(404);
      expect((await foreign.post(initialize(R4))).status).toBe(404);
      expect((await foreign.get()).status).toBe(404);
      expect((await foreign.delete()).status).toBe(404);
      expect((await session.post(request(1, "ping"))).status).toBe(200);
    });

    test.each([{ id: "ada" }, "ada", { issuer: "https://id.example", subject: "" }, { issuer: 1, subject: 2 }])(
      "is not created for the invalid principal %j",
      async (principal) => {
        const { at, subject } = await start();
        const answer = await at.send({ ...plain(initialize(R4)), principal: principal as never });
        expect([answer.status, await answer.json()]).toEqual([
          500,
          { jsonrpc: "2.0", error: { code: -32603, message: "Internal error" } },
        ]);
        expect(subject.reports).toMatchObject([{ code: "INVALID_CONFIGURATION", data: principal }]);
      },
    );

    test("cannot be used by a principal whose issuer and subject are equal only when joined", async () => {
      const { at } = await start();
      const session = await open(at, R4, { principal: { issuer: "https://a.example b", subject: "c" } });
      const principal = { issuer: "https://a.example", subject: "b c" };
      expect((await at.send({ ...session.sent(request(1, "ping")), principal })).status).toBe(404);
      expect((await session.post(request(1, "ping"))).status).toBe(200);
    });

    test("opened without a principal cannot be used by a principal", async () => {
      const { at } = await start();
      const session = await open(at, R4);
      expect((await at.send({ ...session.sent(request(1, "ping")), principal: ada })).status).toBe(404);
    });
  });

  describe("idle sessions", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
    afterEach(() => void vi.useRealTimers());

    const idleMs = 10_000;

    test("are closed after idleMs", async () => {
      const { at, subject } = await start({ sessions: { idleMs } });
      const session = await open(at, R4);
      vi.advanceTimersByTime(idleMs - 1_000);
      expect(subject.server.server.connections.size).toBe(1);
      // Sessions are looked at every quarter of that time.
      vi.advanceTimersByTime(idleMs / 4 + 1_000);
      expect(subject.server.server.connections.size).toBe(0);
      expect((await session.post(request(1, "ping"))).status).toBe(404);
    });

    test("stay open while they are used", async () => {
      const { at } = await start({ sessions: { idleMs } });
      const session = await open(at, R4);
      for (let times = 0; times < 10; times++) {
        expect((await session.post(request(times, "ping"))).status).toBe(200);
        vi.advanceTimersByTime(idleMs - 1_000);
      }
    });

    test.each([
      ["a stream is open", (session: RawSession) => session.get()],
      ["a request runs", (session: RawSession) => session.call(1, "hold", { key: "k", first: "x" })],
    ])("stay open while %s", async (_, keepBusy) => {
      const { at, subject } = await start({ sessions: { idleMs } });
      const session = await open(at, R4);
      const busy = await keepBusy(session);
      vi.advanceTimersByTime(3 * idleMs);
      expect((await session.post(request(9, "ping"))).status).toBe(200);
      busy.cut();
      if (subject.holds("k")) subject.release("k");
      // The server notices the end of the stream later.
      await vi.waitFor(() => {
        vi.advanceTimersByTime(idleMs);
        expect(subject.server.server.connections.size).toBe(0);
      });
    });
  });

  test("rejects more than max sessions until one ends", async () => {
    const { at } = await start({ sessions: { max: 2 } });
    const [first, second] = [await open(at, R2), await open(at, R3)];
    for (const session of [first, second]) await session.post(request(1, "ping"));
    const refused = await at.send(plain(initialize(R4)));
    expect([refused.status, refused.header("retry-after")]).toEqual([503, "1800"]);
    expect(await refused.json()).toMatchObject({ id: 0, error: { code: -32603 } });
    await first.delete();
    expect((await open(at, R4)).id).not.toBe("");
  });

  test("sends the session id with a slow response to initialize", async () => {
    const subject = new Subject({ middleware: [async (_, next) => (await turn(60), next())] });
    const at = await host(subject.server, { keepAliveMs: 10 });
    const opening = await at.send(plain(initialize(R4)));
    expect([opening.type, opening.header("mcp-session-id")]).toEqual([
      "text/event-stream",
      expect.stringMatching(/.{32}/),
    ]);
    expect(await opening.messages()).toMatchObject([{ result: { protocolVersion: R4 } }]);
  });

  test("does not count a failed initialize as a session", async () => {
    const { at, subject } = await start({ sessions: { max: 1 } });
    for (const params of [{}, undefined, { protocolVersion: 5 }])
      await (await at.send(plain(request(1, "initialize", params)))).text();
    await at.send(plain(notification("initialize", { protocolVersion: R4 })));
    expect(subject.server.server.connections.size).toBe(0);
    expect((await open(at, R4)).id).not.toBe("");
  });

  describe("without sessions", () => {
    test.each([R1, ...streamable])("%s: serves each request on its own", async (version) => {
      const { at, subject } = await start({ sessions: false });
      const opening = await at.send(plain(initialize(version, { elicitation: {} })));
      expect(opening.header("mcp-session-id")).toBeUndefined();
      const { result } = (await opening.json()) as Message;
      expect(result).toMatchObject({ protocolVersion: version });
      // Capabilities that need notifications are not declared.
      expect(result?.["capabilities"]).toEqual({
        logging: {},
        completions: undefined,
        tools: {},
        prompts: {},
        resources: {},
      });
      const headers = version >= R3 ? { "mcp-protocol-version": version } : {};
      const post = (body: object) => at.send(plain(body, { headers }));
      expect((await post(notification("notifications/initialized"))).status).toBe(202);
      const said = await post(request(1, "tools/call", { name: "say", arguments: { lines: ["a"] } }));
      expect(await said.messages()).toMatchObject([{ params: { data: "a" } }, { id: 1, result: {} }]);
      // The client cannot send a response.
      const asked = await post(request(2, "tools/call", { name: "ask-and-wait" }));
      expect(await asked.json()).toMatchObject({ id: 2, result: { isError: true } });
      expect(await (await post(request(3, "resources/subscribe", { uri: "test://note" }))).json()).toMatchObject({
        error: { code: -32601 },
      });
      await until(() => subject.server.server.connections.size === 0);
    });

    test("does not abort a notification handler when its exchange ends", async () => {
      const { at, subject } = await start({ sessions: false });
      const { server } = subject.server;
      const signals: AbortSignal[] = [];
      const hear = (_: unknown, { signal }: { readonly signal: AbortSignal }) => signals.push(signal);
      server.handle({ "notifications/initialized": hear, "notifications/cancelled": hear });
      const initialized = notification("notifications/initialized");
      await at.send(plain(initialized, { headers: { "mcp-protocol-version": R4 } }));
      const cancelled = notification("notifications/cancelled", { requestId: 1, _meta: claim() });
      const headers = { "mcp-protocol-version": R5, "mcp-method": "notifications/cancelled" };
      await at.send(plain(cancelled, { headers }));
      await until(() => signals.length === 2 && server.connections.size === 0);
      expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    });

    test("a log level applies only to the request that sets it", async () => {
      const { at } = await start({ sessions: false });
      const post = (body: object) => at.send(plain(body, { headers: { "mcp-protocol-version": R4 } }));
      expect(await (await post(request(1, "logging/setLevel", { level: "error" }))).json()).toMatchObject({
        result: {},
      });
      const said = await post(request(2, "tools/call", { name: "say", arguments: { lines: ["a warning"] } }));
      expect(await said.messages()).toMatchObject([{ params: { data: "a warning" } }, { id: 2, result: {} }]);
    });

    test("keeps equal ids of two clients apart", async () => {
      const { at, subject } = await start({ sessions: false });
      const hold = (key: string) =>
        at.send(
          plain(request(1, "tools/call", { name: "hold", arguments: { key } }), {
            headers: { "mcp-protocol-version": R4 },
          }),
        );
      const answers = [hold("a"), hold("b")];
      await until(() => subject.holds("a") && subject.holds("b"));
      await at.send(
        plain(notification("notifications/cancelled", { requestId: 1 }), { headers: { "mcp-protocol-version": R4 } }),
      );
      subject.release("b");
      subject.release("a");
      const texts = await Promise.all(answers.map(async (answer) => (await answer).json()));
      expect(texts).toMatchObject([{ result: { content: [{ text: "a" }] } }, { result: { content: [{ text: "b" }] } }]);
    });
  });
});
