/** What one client may take of the places and the memory of an endpoint, and that it gives them back. */
import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../../runtime/src/http-server/endpoint.js";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import type { McpServerOptions } from "../../../runtime/src/server.js";
import { type Host, hosts } from "./hosts.js";
import {
  call,
  initialize,
  type Message,
  modern,
  notification,
  open,
  plain,
  R2,
  R4,
  request,
  turn,
  until,
} from "./messages.js";
import { ada, bob, Subject } from "./subject.js";

const capabilities = { elicitation: {} };
const form = { message: "Who?", requestedSchema: { type: "object" as const, properties: {} } };

describe.each(hosts)("$name", ({ open: host }) => {
  async function start(options?: McpHandlerOptions, serverOptions?: McpServerOptions) {
    const subject = new Subject(serverOptions);
    const at = await host(subject.server, options);
    const { limits } = at.handler.endpoint as Endpoint;
    return { subject, at, limits };
  }

  const answers = async (session: Awaited<ReturnType<typeof open>>): Promise<number> =>
    (await session.post(request(9, "ping"))).status;

  describe("sessions", () => {
    test("the oldest session that was never used gives way to a new one", async () => {
      const { at, limits, subject } = await start({ sessions: { max: 3 } });
      const used = await open(at, R4);
      expect(await answers(used)).toBe(200);
      const unused = [await open(at, R4), await open(at, R2)];
      const next = await open(at, R4);
      expect(await Promise.all([used, ...unused, next].map(answers))).toEqual([200, 404, 200, 200]);
      expect(subject.server.server.connections.size).toBe(3);
      for (const session of [used, unused[1], next]) await session?.delete();
      expect(limits.memory.total).toBe(0);
    });

    test("a session with an open stream does not give way, even if it was not used otherwise", async () => {
      const { at } = await start({ sessions: { max: 1 } });
      const listening = await open(at, R4);
      const stream = await listening.get();
      expect((await at.send(plain(initialize(R4)))).status).toBe(503);
      stream.cut();
    });

    test("with only used sessions, a new one gets 503 and the time at which one has been idle", async () => {
      const { at } = await start({ sessions: { max: 2, idleMs: 90_000 } });
      for (const session of [await open(at, R4), await open(at, R2)]) await answers(session);
      const refused = await at.send(plain(initialize(R4)));
      expect(refused.status).toBe(503);
      expect(Number(refused.header("retry-after"))).toBeGreaterThan(45);
      expect(Number(refused.header("retry-after"))).toBeLessThanOrEqual(90);
    });

    test("a principal with its share of sessions replaces or keeps out only itself", async () => {
      const { at } = await start({ sessions: { max: 8 } });
      const bobs = await open(at, R4, { principal: bob });
      const adas = [await open(at, R4, { principal: ada }), await open(at, R4, { principal: ada })];
      const third = await open(at, R4, { principal: ada });
      expect(await Promise.all([bobs, ...adas, third].map(answers))).toEqual([200, 404, 200, 200]);
      expect((await at.send(plain(initialize(R4), { principal: ada }))).status).toBe(503);
      expect((await open(at, R4, { principal: bob })).id).not.toBe("");
    });

    test("the option clientKey distinguishes clients without a principal", async () => {
      const { at, subject } = await start({
        sessions: { max: 4 },
        clientKey: (from) => {
          const address = from.header("x-forwarded-for");
          if (address === "broken") throw new Error("no key");
          return address;
        },
      });
      const from = (address: string) => {
        const { headers } = plain({});
        return at.send({ body: initialize(R4), headers: { ...headers, "x-forwarded-for": address } });
      };
      const use = async (opening: Awaited<ReturnType<typeof from>>): Promise<number> => {
        const headers = { ...plain({}).headers, "mcp-session-id": opening.header("mcp-session-id") };
        return (await at.send({ body: request(1, "ping"), headers })).status;
      };
      expect(await use(await from("192.0.2.1"))).toBe(200);
      expect((await from("192.0.2.1")).status).toBe(503);
      expect((await from("192.0.2.2")).status).toBe(200);
      expect((await from("broken")).status).toBe(200);
      expect(subject.reports).toMatchObject([{ message: "no key" }]);
    });
  });

  test("a principal with its share of requests and streams does not keep others out", async () => {
    const { at, subject, limits } = await start({ maxRequests: 4, maxStreams: 4 });
    const held = at.send(call(1, "hold", { key: "a" }, { principal: ada }));
    await until(() => subject.holds("a"));
    expect((await at.send(call(2, "echo", { text: "x" }, { principal: ada }))).status).toBe(503);
    expect((await at.send(call(3, "echo", { text: "x" }, { principal: bob }))).status).toBe(200);
    subject.release("a");
    await (await held).text();
    const session = await open(at, R4, { principal: ada });
    const stream = await session.get();
    expect((await session.get()).status).toBe(503);
    const other = await (await open(at, R4, { principal: bob })).get();
    expect(other.status).toBe(200);
    stream.cut();
    await until(() => (at.handler.endpoint as Endpoint).streams.hasRoom('["https://issuer.example","ada"]'));
    other.cut();
    expect(limits.requests.total).toBe(0);
  });

  describe("suspended calls", () => {
    const suspend = async (at: Host, name: string, principal?: typeof ada, args?: object): Promise<Message> =>
      await (await at.send(call(1, name, args, { capabilities, principal }))).json();
    const retry = async (
      at: Host,
      asked: Message | undefined,
      principal?: typeof ada,
      args?: object,
    ): Promise<Message> => {
      const params = {
        name: "waits",
        ...(args && { arguments: args }),
        requestState: asked?.result?.["requestState"],
        inputResponses: { who: { action: "accept", content: {} } },
      };
      return await (await at.send(modern(2, "tools/call", params, { capabilities, principal }))).json();
    };

    async function waiting(options?: McpHandlerOptions, max = 8) {
      const started = await start(options, { suspension: { max } });
      const ended: unknown[] = [];
      started.subject.server.server.handle({
        "tools/call": async (_params, context) => {
          const one = context;
          try {
            await one.elicit("who", form);
          } catch (error) {
            ended.push((error as { code: unknown }).code);
            throw error;
          }
          return { content: [] };
        },
      });
      return { ...started, ended };
    }

    test("the oldest gives way to a new one, and all places come back", async () => {
      const { at, limits, ended } = await waiting({}, 2);
      const calls = [await suspend(at, "waits"), await suspend(at, "waits"), await suspend(at, "waits")];
      await until(() => ended.length === 1);
      expect(ended).toEqual(["LIMIT_EXCEEDED"]);
      expect(limits.suspended.places.total).toBe(2);
      expect(await Promise.all(calls.map((one) => retry(at, one)))).toMatchObject([
        { error: { code: -32602 } },
        { result: { content: [] } },
        { result: { content: [] } },
      ]);
      expect([limits.suspended.places.total, limits.memory.total, limits.requests.total]).toEqual([0, 0, 0]);
    });

    test("a principal with its share replaces only its own", async () => {
      const { at, limits } = await waiting();
      const bobs = await suspend(at, "waits", bob);
      const adas = [];
      for (let count = 0; count < 20; count++) adas.push(await suspend(at, "waits", ada));
      expect(limits.suspended.places.total).toBe(3);
      expect(await retry(at, bobs, bob)).toMatchObject({ result: { content: [] } });
      expect(await retry(at, adas.at(-3), ada)).toMatchObject({ error: { code: -32602 } });
      expect(await retry(at, adas.at(-1), ada)).toMatchObject({ result: { content: [] } });
    });

    test("large arguments count, and make the oldest give way", async () => {
      const { at, limits, ended } = await waiting({ maxHeldBytes: 1_000_000 });
      const args = { text: "x".repeat(300_000) };
      for (let count = 0; count < 5; count++)
        expect(await suspend(at, "waits", undefined, args)).toMatchObject({ result: { resultType: "input_required" } });
      expect(limits.memory.total).toBeLessThan(1_000_000);
      expect(limits.suspended.places.total).toBe(3);
      await until(() => ended.length === 2);
    });
  });

  describe("memory", () => {
    const big = { key: "a", first: "x".repeat(100_000) };

    test("requests in progress take it until they end", async () => {
      const { at, subject, limits } = await start({ maxHeldBytes: 150_000 });
      const held = at.send(call(1, "hold", big));
      await until(() => subject.holds("a"));
      const refused = await at.send(call(2, "hold", big));
      expect([refused.status, refused.header("retry-after")]).toEqual([503, "1"]);
      expect((await at.send(call(3, "echo", { text: "x" }))).status).toBe(200);
      subject.release("a");
      await (await held).text();
      expect(limits.memory.total).toBe(0);
    });

    test("so do requests of a session, but what ends them is accepted", async () => {
      const { at, subject, limits } = await start({ maxHeldBytes: 120_000 });
      const session = await open(at, R4);
      const before = limits.memory.total;
      const held = session.call(1, "hold", big);
      await until(() => subject.holds("a"));
      expect((await session.call(2, "hold", { ...big, key: "b" })).status).toBe(503);
      const cancelled = { requestId: 1, reason: "y".repeat(50_000) };
      expect((await session.post(notification("notifications/cancelled", cancelled))).status).toBe(202);
      await (await held).text();
      expect(limits.memory.total).toBe(before);
      await session.delete();
      expect(limits.memory.total).toBe(0);
    });

    test("a subscription that is granted after the session has ended takes none", async () => {
      let grant: (() => void) | undefined;
      const canSubscribe = () => new Promise<boolean>((resolve) => (grant = () => resolve(true)));
      const { at, limits } = await start({}, { canSubscribe });
      const session = await open(at, R4);
      const pending = session.post(request(1, "resources/subscribe", { uri: `test://note?${"x".repeat(10_000)}` }));
      await until(() => grant !== undefined);
      await session.delete();
      grant?.();
      await pending;
      await turn();
      expect(limits.memory.total).toBe(0);
    });

    test("so do requests of HTTP+SSE", async () => {
      const { at, subject, limits } = await start({ maxHeldBytes: 150_000 });
      const stream = await at.send({ method: "GET", headers: { accept: "text/event-stream" } });
      const path = (await stream.block()).data ?? "";
      const before = limits.memory.total;
      const post = async (body: object): Promise<number> => (await at.send(plain(body, { path }))).status;
      await post(initialize("2024-11-05"));
      await stream.message();
      expect(limits.memory.total).toBe(before);
      expect(await post(request(1, "tools/call", { name: "hold", arguments: big }))).toBe(202);
      expect(await post(request(2, "tools/call", { name: "hold", arguments: big }))).toBe(503);
      await until(() => subject.holds("a"));
      subject.release("a");
      for (;;) if (((await stream.message()) as Message).id === 1) break;
      expect(limits.memory.total).toBe(before);
      stream.cut();
      await until(() => limits.memory.total === 0);
    });

    test("small values count more than their text", async () => {
      const { at } = await start({ maxHeldBytes: 100_000 });
      const sent = call(1, "echo", { text: "x", more: Array.from({ length: 5_000 }, () => 0) });
      expect((await at.send(sent)).status).toBe(503);
    });

    test("each request and session counts 4 KiB besides its messages", async () => {
      const { at, limits } = await start({ maxHeldBytes: 20_000 });
      const statuses: number[] = [];
      for (let count = 0; count < 5; count++) statuses.push((await at.send(plain(initialize(R4)))).status);
      // A refused request opens no session.
      expect([statuses, limits.memory.total]).toEqual([[200, 200, 200, 503, 503], 3 * 4_096]);
      const small = await start({ maxHeldBytes: 4_096 });
      expect((await small.at.send(call(1, "echo", { text: "x" }))).status).toBe(503);
    });

    test("subscriptions of a session take it until they are cancelled or the session ends", async () => {
      const { at, limits } = await start({ maxHeldBytes: 100_000 });
      const session = await open(at, R4);
      const before = limits.memory.total;
      const uri = (count: number): string => `test://note?${String(count).repeat(30_000)}`;
      const change = async (what: string, count: number): Promise<Message> =>
        await (await session.post(request(count, `resources/${what}`, { uri: uri(count) }))).json();
      expect(await change("subscribe", 1)).toMatchObject({ result: {} });
      expect(await change("subscribe", 1)).toMatchObject({ result: {} });
      expect(await change("subscribe", 2)).toMatchObject({ result: {} });
      expect(await change("subscribe", 3)).toMatchObject({ error: { code: -32603 } });
      expect(await change("unsubscribe", 1)).toMatchObject({ result: {} });
      expect(await change("unsubscribe", 1)).toMatchObject({ result: {} });
      expect(limits.memory.total - before).toBeLessThan(31_000);
      await session.delete();
      expect(limits.memory.total).toBe(0);
    });
  });

  describe("the description of a client that a session keeps", () => {
    async function described(given: object, clientInfo: object) {
      const { at, subject } = await start();
      subject.server.registerTool("client", {}, ({ client }) => ({
        content: [],
        structuredContent: { capabilities: client.capabilities, info: client.info },
      }));
      const params = { protocolVersion: R4, capabilities: given, clientInfo };
      const opening = await at.send(plain(request(0, "initialize", params)));
      expect(opening.status).toBe(200);
      const headers = { "mcp-session-id": opening.header("mcp-session-id"), "mcp-protocol-version": R4 };
      const asked = plain(request(1, "tools/call", { name: "client" }), { headers });
      const { result } = (await (await at.send(asked)).json()) as Message;
      return result?.["structuredContent"] as { capabilities: Record<string, unknown>; info: Record<string, unknown> };
    }

    test("is that of initialize, with unknown members, if it is small", async () => {
      const given = { roots: { listChanged: true }, later: { x: [1] }, experimental: { "a/b": { c: 1 } } };
      const info = { name: "n", version: "1", icons: [{ src: "data:,x" }], more: "y" };
      expect(await described(given, info)).toEqual({ capabilities: given, info });
    });

    test("contains no single part that is large", async () => {
      const many = Array.from({ length: 1_000 }, () => ({}));
      const { capabilities: kept, info } = await described(
        {
          sampling: { many },
          elicitation: { form: {} },
          later: "x".repeat(20_000),
          experimental: { small: { a: 1 }, large: { many } },
        },
        {
          icons: [{ src: `data:,${"x".repeat(50_000)}` }, { src: "data:,small" }],
          name: "n".repeat(5_000),
          version: "1",
          description: "d".repeat(9_000),
        },
      );
      expect(kept).toEqual({ sampling: {}, elicitation: { form: {} }, experimental: { small: { a: 1 } } });
      expect(info).toEqual({ name: "n".repeat(256), version: "1", icons: [{ src: "data:,small" }] });
    });

    test("contains few members of very many small ones", async () => {
      const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, {}]));
      const { capabilities: kept } = await described({ ...many, extensions: many }, { name: "n", version: "1" });
      expect(Object.keys(kept).length).toBeLessThan(200);
    });
  });
});

test.each([0, -1, 2, NaN])("clientShare is not %d", (clientShare) => {
  const { server } = new Subject();
  expect(() => hosts[0]?.open(server, { clientShare })).toThrow("clientShare must be");
});
