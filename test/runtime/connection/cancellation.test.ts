import { afterEach, describe, expect, test, vi } from "vitest";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import { all, call, clientOf, handshakeEra, openOf, R4, R5, serveEither, serveSession } from "./connection-ends.js";
import { error, idle, notification, request, result } from "./wire.js";

const cancelled = (requestId: unknown, reason?: unknown) =>
  notification("notifications/cancelled", { requestId, ...(reason !== undefined && { reason }) });

afterEach(() => vi.unstubAllGlobals());

describe("aborting a sent request", () => {
  test.each(all)("%s: sends one cancellation and rejects with the reason", async (revision) => {
    const { client, wire, errors } = await clientOf(revision);
    const controller = new AbortController();
    const asked = client.request("tools/call", { name: "t" }, { signal: controller.signal });
    const { id } = await wire.next();
    const reason = new Error("changed my mind");
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    expect(wire.take()).toEqual([cancelled(id, "changed my mind")]);
    expect(client.waiting).toBe(0);
    wire.receive(result(id ?? "", { content: [] }));
    wire.receive(notification("notifications/progress", { progressToken: id, progress: 1 }));
    expect(await wire.rest()).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("remembers the last hundred requests whose responses may still arrive", async () => {
    const { client, wire, errors } = await clientOf(R4);
    for (let count = 0; count < 101; count++) {
      const controller = new AbortController();
      const asked = client.request("tools/list", undefined, { signal: controller.signal });
      controller.abort(new Error("no"));
      await expect(asked).rejects.toThrow("no");
    }
    for (let id = 2; id <= 101; id++) wire.receive(error(id, -32603));
    expect(errors).toEqual([]);
    wire.receive(result(1, { tools: [] }));
    expect(errors).toMatchObject([{ code: "INVALID_MESSAGE", data: { id: 1 } }]);
  });

  test("sends nothing when aborted before sending", async () => {
    const { client, wire } = await clientOf(R4);
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(client.request("tools/list", undefined, { signal })).rejects.toThrow("too late");
    expect(wire.sent).toEqual([]);
    expect(client.waiting).toBe(0);
  });

  test("without a reason", async () => {
    const { client, wire } = await clientOf(R4);
    const controller = new AbortController();
    const asked = client.request("tools/list", undefined, { signal: controller.signal });
    wire.take();
    controller.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    expect(wire.take()).toMatchObject([{ method: "notifications/cancelled", params: { requestId: 1 } }]);
  });

  test.each([
    ["its result", (wire: { receive: (message: unknown) => void }) => wire.receive(result(1, { tools: [] }))],
    ["an error", (wire: { receive: (message: unknown) => void }) => wire.receive(error(1, -1))],
    ["the end of the connection", (wire: { break: () => void }) => wire.break()],
  ])("sends no cancellation after %s", async (_, first) => {
    const { client, wire } = await clientOf(R4);
    const controller = new AbortController();
    const asked = client.request("tools/list", undefined, { signal: controller.signal });
    wire.take();
    first(wire);
    controller.abort();
    await Promise.allSettled([asked]);
    expect(await wire.rest()).toEqual([]);
  });

  test("keeps the response that arrived in the same turn", async () => {
    const { client, wire } = await clientOf(R4);
    const controller = new AbortController();
    const asked = client.request("tools/list", undefined, { signal: controller.signal });
    wire.take();
    wire.receive(result(1, { tools: [] }));
    controller.abort();
    expect(await asked).toEqual({ tools: [] });
  });

  test("never cancels initialize", async () => {
    const { client, wire } = await clientOf(R4);
    const controller = new AbortController();
    const params = { protocolVersion: R4, capabilities: {}, clientInfo: { name: "c", version: "1" } };
    const asked = client.request("initialize", params, { signal: controller.signal });
    wire.take();
    controller.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    expect(wire.take()).toEqual([]);
  });

  test("aborts only one of several requests with the same method", async () => {
    const { client, wire } = await clientOf(R4);
    const controller = new AbortController();
    const stopped = client.request("tools/list", undefined, { signal: controller.signal });
    const other = client.request("tools/list", undefined);
    controller.abort(new Error("stop"));
    await expect(stopped).rejects.toThrow("stop");
    wire.receive(result(2, { tools: [] }));
    expect(await other).toEqual({ tools: [] });
  });

  test("one signal aborts all its requests and keeps no listener", async () => {
    const { client, wire } = await clientOf(R4);
    const controller = new AbortController();
    const { signal } = controller;
    const removed = vi.spyOn(signal, "removeEventListener");
    const answered = client.request("tools/list", undefined, { signal });
    wire.receive(result(1, { tools: [] }));
    await answered;
    expect(removed).toHaveBeenCalledTimes(1);
    const asked = [1, 2, 3].map(() => client.request("tools/list", undefined, { signal }));
    wire.take();
    controller.abort(new Error("all"));
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    expect(wire.take().map(({ params }) => params?.["requestId"])).toEqual([2, 3, 4]);
  });
});

describe("receiving a cancellation", () => {
  /** A tool that waits, and records its outcome. */
  function hanging() {
    const seen: unknown[] = [];
    let finish!: (result: object) => void;
    let fail!: (reason: unknown) => void;
    const tool = (_: unknown, { signal }: ServerContext) => {
      signal.addEventListener("abort", () => seen.push(signal.reason));
      return new Promise((resolve, reject) => ([finish, fail] = [resolve, reject]));
    };
    return { seen, tool, finish: (body: object) => finish(body), fail: (reason: unknown) => fail(reason) };
  }

  test.each(all)("%s: aborts the handler with the reason and sends no response", async (revision) => {
    const { seen, tool, finish } = hanging();
    const { wire, connection } = await serveEither(revision, { "tools/call": tool });
    wire.receive(call(1, revision));
    wire.receive(cancelled(1, "user pressed stop"));
    expect(seen).toMatchObject([{ code: "REQUEST_CANCELLED", message: "user pressed stop" }]);
    expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
    finish({ content: [] });
    expect(await wire.rest()).toEqual([]);
  });

  test.each(all)("%s: sends no response when the handler fails because of it", async (revision) => {
    const { tool, fail } = hanging();
    const { wire, errors } = await serveEither(revision, { "tools/call": tool });
    wire.receive(call(1, revision));
    wire.receive(cancelled(1));
    fail(new Error("aborted"));
    expect(await wire.rest()).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("sends no messages that belong to the request", async () => {
    let context!: ServerContext;
    const { wire } = await serveSession(
      R4,
      { capabilities: { tools: {}, logging: {} } },
      {
        "tools/call": (_: unknown, ctx: ServerContext) => {
          context = ctx;
          return new Promise(() => undefined);
        },
      },
      { roots: {} },
    );
    wire.receive(request(1, "tools/call", { name: "t", _meta: { progressToken: "p" } }));
    wire.receive(cancelled(1));
    context.progress({ progress: 1 });
    context.log("error", "still here");
    await context.notify("notifications/message", { level: "error", data: 1 });
    await expect(context.listRoots("r")).rejects.toMatchObject({ code: "REQUEST_CANCELLED" });
    expect(await wire.rest()).toEqual([]);
  });

  test("cancels the input requests of the handler", async () => {
    const { wire, connection } = await serveSession(
      R4,
      {},
      { "tools/call": async (_: unknown, ctx: ServerContext) => ({ content: [], ...(await ctx.listRoots("r")) }) },
      { roots: {} },
    );
    wire.receive(call(1, R4));
    const { id } = await wire.next();
    wire.receive(cancelled(1, "stop"));
    expect(await wire.rest()).toMatchObject([{ method: "notifications/cancelled", params: { requestId: id } }]);
    expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
  });

  test("aborts a signal that the handler reads only later", async () => {
    let look!: () => void;
    const looked = new Promise<void>((resolve) => (look = resolve));
    const seen: unknown[] = [];
    const { wire } = await serveSession(
      R4,
      {},
      {
        "tools/call": async (_: unknown, ctx: ServerContext) => {
          await looked;
          seen.push(ctx.signal.aborted, ctx.signal.reason);
          return { content: [] };
        },
      },
    );
    wire.receive(call(1, R4));
    wire.receive(cancelled(1, "early"));
    look();
    expect(await wire.rest()).toEqual([]);
    expect(seen).toMatchObject([true, { code: "REQUEST_CANCELLED", message: "early" }]);
  });

  test.each<[string, object]>([
    ["an unknown request", cancelled(99)],
    ["an id of another type", cancelled("1")],
    ["no request", notification("notifications/cancelled", {})],
    ["nothing", notification("notifications/cancelled")],
    ["an object", cancelled({})],
    ["null", cancelled(null)],
  ])("for %s is ignored", async (_, message) => {
    const { tool, finish, seen } = hanging();
    const { wire } = await serveSession(R4, {}, { "tools/call": tool });
    wire.receive(call(1, R4));
    wire.receive(message);
    finish({ content: [] });
    expect(await wire.next()).toEqual(result(1, { content: [] }));
    expect(seen).toEqual([]);
  });

  test("aborts the handler when the reason is not a string", async () => {
    const { tool, seen } = hanging();
    const { wire } = await serveSession(R4, {}, { "tools/call": tool });
    wire.receive(call(1, R4));
    wire.receive(cancelled(1, { toString: 1 }));
    await idle();
    expect(seen).toMatchObject([{ code: "REQUEST_CANCELLED" }]);
  });

  test("is ignored after the response", async () => {
    const { wire } = await serveSession(R4, {}, { "tools/call": () => ({ content: [] }) });
    wire.receive(call(1, R4));
    wire.receive(cancelled(1));
    wire.receive(cancelled(1));
    expect(await wire.rest()).toEqual([result(1, { content: [] })]);
  });

  test("frees the id", async () => {
    const { tool, finish } = hanging();
    const { wire } = await serveSession(R4, {}, { "tools/call": tool });
    wire.receive(call(1, R4));
    const stale = finish;
    wire.receive(cancelled(1));
    wire.receive(call(1, R4));
    stale({ content: [] });
    expect(await wire.next()).toEqual(result(1, { content: [] }));
  });

  test("a cancelled handler that finishes does not respond to the next request with its id", async () => {
    const finishes: ((body: object) => void)[] = [];
    const { wire } = await serveSession(
      R4,
      {},
      { "tools/call": () => new Promise((resolve) => finishes.push(resolve)) },
    );
    wire.receive(call(1, R4));
    wire.receive(cancelled(1));
    wire.receive(call(1, R4));
    finishes[0]?.({ content: [], of: "first" });
    expect(await wire.rest()).toEqual([]);
    finishes[1]?.({ content: [], of: "second" });
    expect(await wire.next()).toEqual(result(1, { content: [], of: "second" }));
  });

  test.each(handshakeEra)("%s: aborts the handler of a client", async (revision) => {
    const { client, wire } = await clientOf(revision, { capabilities: { roots: {} } });
    const seen: unknown[] = [];
    client.handle({
      "roots/list": (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            seen.push(signal.reason);
            resolve({ roots: [] });
          });
        }),
    });
    wire.receive(request(1, "roots/list"));
    wire.receive(cancelled(1, "never mind"));
    expect(await wire.rest()).toEqual([]);
    expect(seen).toMatchObject([{ code: "REQUEST_CANCELLED", message: "never mind" }]);
    expect(client.handling).toBe(0);
  });

  test("an id of one side does not cancel a request of the other side", async () => {
    const { client, wire } = await clientOf(R4);
    const asked = client.request("tools/list", undefined);
    wire.receive(cancelled(1, "not yours"));
    wire.receive(result(1, { tools: [] }));
    expect(await asked).toEqual({ tools: [] });
    const modern = await clientOf(R5);
    const other = modern.client.request("tools/list", undefined);
    modern.wire.receive(cancelled(1, "servers cancel only subscriptions"));
    modern.wire.receive(result(1, { tools: [] }));
    expect(await other).toEqual({ tools: [] });
  });
});

describe("creates no signal unless a handler reads it", () => {
  class Counted extends AbortController {
    static made = 0;
    constructor() {
      super();
      Counted.made++;
    }
  }

  test.each(all)("%s", async (revision) => {
    const { wire } = await serveEither(revision, {
      "tools/call": ({ name }: { name: string }, ctx: ServerContext) =>
        Promise.resolve({ content: [], ...(name === "look" && { aborted: ctx.signal.aborted }) }),
    });
    Counted.made = 0;
    vi.stubGlobal("AbortController", Counted);
    wire.receive(call(1, revision));
    wire.receive(call(2, revision));
    wire.receive(cancelled(2));
    expect((await wire.rest()).map(({ id }) => id)).toEqual([1]);
    expect(Counted.made).toBe(0);
    wire.receive(call(3, revision, "look"));
    expect(await wire.next()).toMatchObject({ id: 3, result: { aborted: false } });
    expect(Counted.made).toBe(1);
  });

  test("nor for the requests of a client", async () => {
    const { client, wire } = await clientOf(R5);
    Counted.made = 0;
    vi.stubGlobal("AbortController", Counted);
    const asked = client.request("tools/list", undefined);
    wire.receive(result(1, { tools: [] }));
    await asked;
    expect(Counted.made).toBe(0);
  });
});
