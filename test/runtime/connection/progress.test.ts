import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ProgressThrottle } from "../../../runtime/src/connection/progress-throttle.js";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import { all, clientOf, handshakeEra, modern, R4, R5, serveEither, serveSession } from "./connection-ends.js";
import { notification, request, result } from "./wire.js";

const told = (progressToken: unknown, body: object) =>
  notification("notifications/progress", { progressToken, ...body });

describe("a request with onProgress", () => {
  test.each(all)("%s: uses the id of the request as the token", async (revision) => {
    const { client, wire } = await clientOf(revision);
    const seen: unknown[] = [];
    for (let turn = 0; turn < 3; turn++)
      void client.request("tools/call", { name: "t" }, { onProgress: (one) => seen.push([turn, one.progress]) });
    const requests = wire.take();
    expect(requests.map(({ params }) => params?._meta?.["progressToken"])).toEqual(requests.map(({ id }) => id));
    wire.receive(told(requests[2]?.id, { progress: 1 }));
    wire.receive(told(requests[0]?.id, { progress: 2 }));
    expect(seen).toEqual([
      [2, 1],
      [0, 2],
    ]);
  });

  test("keeps the other metadata of the request", async () => {
    const { client, wire } = await clientOf(R4);
    const params = { name: "t", _meta: { mine: 1 } };
    void client.request("tools/call", params, { onProgress: () => 0, meta: { more: 2 } });
    expect((await wire.next()).params?._meta).toEqual({ mine: 1, more: 2, progressToken: 1 });
    expect(params).toEqual({ name: "t", _meta: { mine: 1 } });
  });

  test("has no token without onProgress", async () => {
    const { client, wire } = await clientOf(R4);
    void client.request("tools/call", { name: "t" });
    expect((await wire.next()).params).toEqual({ name: "t" });
    wire.receive(told(1, { progress: 1 }));
  });

  const rows: readonly [string, readonly object[], readonly object[]][] = [
    ["all members", [{ progress: 1, total: 4, message: "a" }], [{ progress: 1, total: 4, message: "a" }]],
    ["fractions", [{ progress: 0.2 }, { progress: 0.6 }], [{ progress: 0.2 }, { progress: 0.6 }]],
    [
      "only increasing progress",
      [{ progress: 2 }, { progress: 2 }, { progress: 1 }, { progress: 3 }],
      [{ progress: 2 }, { progress: 3 }],
    ],
    ["increasing negative values", [{ progress: -2 }, { progress: -1 }], [{ progress: -2 }, { progress: -1 }]],
    [
      "no progress that is not a number",
      [{ progress: "1" }, { progress: null }, {}, { progress: 1 }],
      [{ progress: 1 }],
    ],
    ["no total or message of a wrong type", [{ progress: 1, total: "4", message: 5 }], [{ progress: 1 }]],
    ["progress beyond the total", [{ progress: 5, total: 4 }], [{ progress: 5, total: 4 }]],
  ];
  test.each(rows)("receives %s", async (_, sent, heard) => {
    const { client, wire } = await clientOf(R4);
    const seen: unknown[] = [];
    void client.request("tools/call", { name: "t" }, { onProgress: (one) => seen.push(one) });
    for (const one of sent) wire.receive(told(1, one));
    expect(seen).toEqual(heard);
  });

  test.each<[string, unknown]>([
    ["another token", 2],
    ["a token of another type", "1"],
    ["no token", undefined],
    ["an object", {}],
  ])("ignores progress with %s", async (_, token) => {
    const { client, wire } = await clientOf(R4);
    const seen: unknown[] = [];
    const asked = client.request("tools/call", { name: "t" }, { onProgress: (one) => seen.push(one) });
    wire.receive(told(token, { progress: 1 }));
    wire.receive(result(1, { content: [] }));
    await asked;
    expect(seen).toEqual([]);
  });

  test("receives nothing after the response", async () => {
    const { client, wire } = await clientOf(R4);
    const seen: unknown[] = [];
    const asked = client.request("tools/call", { name: "t" }, { onProgress: (one) => seen.push(one) });
    wire.receive(told(1, { progress: 1 }));
    wire.receive(result(1, { content: [] }));
    wire.receive(told(1, { progress: 2 }));
    await asked;
    expect(seen).toEqual([{ progress: 1 }]);
  });

  test("reports an error of onProgress and continues", async () => {
    const { client, wire, errors } = await clientOf(R4);
    const asked = client.request(
      "tools/call",
      { name: "t" },
      {
        onProgress: () => {
          throw new Error("listener");
        },
      },
    );
    wire.receive(told(1, { progress: 1 }));
    wire.receive(result(1, { content: [] }));
    expect(await asked).toEqual({ content: [] });
    expect(errors).toMatchObject([{ message: "listener" }]);
  });

  test.each(handshakeEra)("%s: receives progress at a server", async (revision) => {
    const { wire, connection } = await serveSession(revision, {}, {}, { roots: {} });
    const seen: unknown[] = [];
    const asked = connection.request("roots/list", undefined, { onProgress: (one) => seen.push(one) });
    const { id = "", params } = await wire.next();
    wire.receive(told(params?._meta?.["progressToken"], { progress: 1 }));
    wire.receive(result(id, { roots: [] }));
    await asked;
    expect(seen).toEqual([{ progress: 1 }]);
  });
});

describe("a handler that reports progress", () => {
  /** Runs a tool that does `steps` with a progress token, and returns the sent messages. */
  async function run(revision: string, token: unknown, steps: (ctx: ServerContext) => unknown) {
    const { wire, errors } = await serveEither(revision, {
      "tools/call": async (_: unknown, ctx: ServerContext) => {
        await steps(ctx);
        return { content: [] };
      },
    });
    const meta = token === undefined ? {} : { progressToken: token };
    const params = revision === R5 ? modern({ name: "t" }, {}, meta) : { name: "t", _meta: meta };
    wire.receive(request("r", "tools/call", params));
    const sent = await wire.rest();
    return { wire, errors, sent, progress: sent.flatMap(({ method, params }) => (method ? [params] : [])) };
  }

  test.each(all)("%s: sends progress with the token, of any type, before the response", async (revision) => {
    for (const token of ["t", 7, 0, ""]) {
      const { sent } = await run(revision, token, (ctx) => ctx.progress({ progress: 1, total: 2, message: "half" }));
      expect(sent).toMatchObject([told(token, { progress: 1, total: 2, message: "half" }), { id: "r" }]);
    }
  });

  test.each(all)("%s: sends nothing without a token", async (revision) => {
    const { sent } = await run(revision, undefined, (ctx) => ctx.progress({ progress: 1 }));
    expect(sent).toMatchObject([{ id: "r" }]);
  });

  test("sends only increasing progress", async () => {
    const { progress } = await run(R4, 1, (ctx) => {
      for (const value of [1, 1, 0, 3, 2, 3, NaN, 4]) ctx.progress({ progress: value });
    });
    expect(progress.map((one) => one?.["progress"])).toEqual([1, 3, 4]);
  });

  test("sends a burst at most, and the last progress before the response", async () => {
    const { sent, progress } = await run(R4, 1, (ctx) => {
      for (let value = 1; value <= 1_000; value++) ctx.progress({ progress: value });
    });
    const values = progress.map((one) => one?.["progress"]);
    expect(values).toEqual([...Array.from({ length: 20 }, (_, index) => index + 1), 1_000]);
    expect(sent.at(-1)).toMatchObject({ id: "r" });
  });

  test("rejects numbers that JSON does not have", async () => {
    const { progress, errors } = await run(R4, 1, (ctx) => {
      ctx.progress({ progress: 1, total: Infinity });
      ctx.progress({ progress: Infinity });
      ctx.progress({ progress: NaN, total: 1 });
      ctx.progress({ progress: 2, total: 3 });
    });
    expect(progress).toMatchObject([{ progress: 2, total: 3 }]);
    expect(errors.map(({ message }) => message)).toEqual(
      Array(3).fill("tools/call: progress and total must be finite numbers"),
    );
  });

  test("sends nothing after the response", async () => {
    let context!: ServerContext;
    const { wire } = await run(R4, 1, (ctx) => (context = ctx));
    context.progress({ progress: 1 });
    expect(await wire.rest()).toEqual([]);
  });

  test("sends progress on the stream of its request", async () => {
    const { wire } = await serveSession(
      R4,
      {},
      {
        "tools/call": (_: unknown, ctx: ServerContext) => {
          ctx.progress({ progress: 1 });
          return { content: [] };
        },
      },
    );
    wire.receive(request("a", "tools/call", { name: "t", _meta: { progressToken: 5 } }));
    expect(wire.beside).toEqual([{ relatedRequestId: "a" }, { relatedRequestId: "a" }]);
  });
});

describe("the throttle", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  test("sends fifty a second after a burst of twenty", () => {
    const sent: number[] = [];
    const gate = new ProgressThrottle(({ progress }) => sent.push(progress));
    let value = 0;
    const report = (times: number): number => {
      const before = sent.length;
      for (let turn = 0; turn < times; turn++) gate.report({ progress: ++value });
      return sent.length - before;
    };
    expect(report(100)).toBe(20);
    vi.advanceTimersByTime(19);
    expect(report(10)).toBe(0);
    vi.advanceTimersByTime(1);
    expect(report(10)).toBe(1);
    vi.advanceTimersByTime(100);
    expect(report(10)).toBe(5);
    vi.advanceTimersByTime(60_000);
    expect(report(100)).toBe(20);
    gate.flush();
    expect(sent.at(-1)).toBe(value);
    const before = sent.length;
    gate.flush();
    expect(sent.length).toBe(before);
    expect([...sent].sort((a, b) => a - b)).toEqual(sent);
  });
});
