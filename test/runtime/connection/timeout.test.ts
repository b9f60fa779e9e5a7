import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CallOptions } from "../../../runtime/src/connection/call-options.js";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import { all, call, clientOf, openOf, R1, R2, R4, R5, serveSession } from "./connection-ends.js";
import { idle, notification, result } from "./wire.js";

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"] });
});
afterAll(() => void vi.useRealTimers());

/** `waiting`, `answered`, or an error code. */
type Ending = string;

/** The state of a promise. */
function watch(promise: Promise<unknown>) {
  const state: { ending: Ending; error?: unknown } = { ending: "waiting" };
  promise.then(
    () => (state.ending = "answered"),
    (error: unknown) => {
      state.ending = (error as { code: string }).code;
      state.error = error;
    },
  );
  return state;
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

const progress = (token: unknown, at: number) =>
  notification("notifications/progress", { progressToken: token, progress: at });

describe("a request without a response", () => {
  const rows: readonly [string, { timeoutMs?: number; maxTotalMs?: number }, CallOptions, number][] = [
    ["by default", {}, {}, 60_000],
    ["after the timeout of the connection", { timeoutMs: 2_000 }, {}, 2_000],
    ["after the timeout of the request", { timeoutMs: 2_000 }, { timeoutMs: 500 }, 500],
    ["after a longer timeout of the request", { timeoutMs: 2_000 }, { timeoutMs: 90_000 }, 90_000],
    ["after a timeout longer than the default maximum", {}, { timeoutMs: 700_000 }, 700_000],
    ["after its own maximum", {}, { timeoutMs: 5_000, maxTotalMs: 300 }, 300],
    ["after its own timeout, despite a maximum of the connection", { maxTotalMs: 300 }, { timeoutMs: 5_000 }, 5_000],
  ];
  test.each(rows)("ends %s", async (_, connection, options, after) => {
    const { client, wire } = await clientOf(R4, connection);
    const state = watch(client.request("tools/list", undefined, options));
    const { id } = await wire.next();
    await pass(after - 1);
    expect(state.ending).toBe("waiting");
    expect(wire.sent).toEqual([]);
    await pass(1);
    expect(state).toMatchObject({ ending: "REQUEST_TIMEOUT", error: { name: "SdkError" } });
    expect((state.error as Error).message).toContain("tools/list");
    expect(wire.take()).toEqual([notification("notifications/cancelled", { requestId: id, reason: "timeout" })]);
    expect(client.waiting).toBe(0);
    await pass(1_000_000);
    expect(wire.take()).toEqual([]);
  });

  test.each(all)("%s: is cancelled on the wire", async (revision) => {
    const { client, wire } = await clientOf(revision);
    const state = watch(client.request("tools/call", { name: "t" }, { timeoutMs: 10 }));
    const { id } = await wire.next();
    await pass(10);
    expect(state.ending).toBe("REQUEST_TIMEOUT");
    expect(wire.take()).toEqual([notification("notifications/cancelled", { requestId: id, reason: "timeout" })]);
  });

  test.each([
    ["initialize", R4, { protocolVersion: R4, capabilities: {}, clientInfo: { name: "c", version: "1" } }],
    ["ping", R1, undefined],
  ])("%s times out without a cancellation", async (method, revision, params) => {
    const { client, wire } = await clientOf(revision);
    const state = watch(client.request(method, params, { timeoutMs: 10 }));
    wire.take();
    await pass(10);
    expect(state.ending).toBe("REQUEST_TIMEOUT");
    expect(wire.take()).toEqual([]);
  });

  test("is cancelled by the transport, where the transport and the revision support it", async () => {
    for (const [revision, cancelled] of [
      [R5, [1]],
      [R4, []],
    ] as const) {
      const { client, wire } = await clientOf(revision);
      const ended: unknown[] = [];
      Object.assign(wire, { cancelRequest: (id: unknown) => ended.push(id) });
      const state = watch(client.request("tools/list", undefined, { timeoutMs: 10 }));
      wire.take();
      await pass(10);
      expect([state.ending, ended]).toEqual(["REQUEST_TIMEOUT", cancelled]);
      expect(wire.take()).toHaveLength(1 - cancelled.length);
    }
  });

  test("ignores a late response, and reports a second one", async () => {
    const { client, wire, errors } = await clientOf(R4);
    const state = watch(client.request("tools/list", undefined, { timeoutMs: 10 }));
    const { id = "" } = await wire.next();
    await pass(10);
    wire.receive(progress(id, 1));
    wire.receive(result(id, { tools: [] }));
    await idle();
    expect(state.ending).toBe("REQUEST_TIMEOUT");
    expect(errors).toEqual([]);
    wire.receive(result(id, { tools: [] }));
    expect(errors).toMatchObject([{ code: "INVALID_MESSAGE" }]);
    const next = client.request("tools/list", undefined);
    wire.take();
    wire.receive(result(2, { tools: [] }));
    expect(await next).toEqual({ tools: [] });
  });

  test("each request has its own timeout, and a response stops it", async () => {
    const { client, wire } = await clientOf(R4);
    const states = [30, 10, 20].map((timeoutMs) => watch(client.request("tools/list", undefined, { timeoutMs })));
    wire.take();
    const endings = (): Ending[] => states.map(({ ending }) => ending);
    await pass(10);
    expect(endings()).toEqual(["waiting", "REQUEST_TIMEOUT", "waiting"]);
    wire.receive(result(3, { tools: [] }));
    await pass(19);
    expect(endings()).toEqual(["waiting", "REQUEST_TIMEOUT", "answered"]);
    await pass(1);
    expect(endings()).toEqual(["REQUEST_TIMEOUT", "REQUEST_TIMEOUT", "answered"]);
    expect(client.waiting).toBe(0);
  });

  test("connections do not delay each other's timeouts", async () => {
    const a = await clientOf(R4);
    const b = await clientOf(R4);
    const long = watch(a.client.request("tools/list", undefined, { timeoutMs: 50_000 }));
    const short = watch(b.client.request("tools/list", undefined, { timeoutMs: 5 }));
    await pass(5);
    expect([long.ending, short.ending]).toEqual(["waiting", "REQUEST_TIMEOUT"]);
    b.wire.break();
    await pass(49_995);
    expect(long.ending).toBe("REQUEST_TIMEOUT");
  });

  test("uses one timer for all pending requests", async () => {
    const { client, wire } = await clientOf(R4);
    const before = vi.getTimerCount();
    const asked = Array.from({ length: 50 }, () => client.request("tools/list", undefined));
    expect(vi.getTimerCount() - before).toBeLessThanOrEqual(1);
    for (const { id } of wire.take()) wire.receive(result(id ?? "", { tools: [] }));
    await Promise.all(asked);
    await pass(120_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("allows an infinite timeout", async () => {
    const { client, wire } = await clientOf(R4);
    const state = watch(client.request("tools/list", undefined, { timeoutMs: Infinity, maxTotalMs: Infinity }));
    wire.take();
    await pass(100_000_000);
    expect(state.ending).toBe("waiting");
    wire.receive(result(1, { tools: [] }));
    await idle();
    expect(state.ending).toBe("answered");
  });
});

describe("progress", () => {
  const rows: readonly [string, CallOptions, readonly number[], number][] = [
    ["restarts the timeout", {}, [80, 80, 80], 340],
    ["does not restart it with resetTimeoutOnProgress: false", { resetTimeoutOnProgress: false }, [80], 100],
    ["does not extend the maximum", { maxTotalMs: 250 }, [80, 80, 80], 250],
    ["counts only when it increases", {}, [80, 0], 180],
  ];
  test.each(rows)("%s", async (_, options, steps, ends) => {
    const { client, wire } = await clientOf(R4);
    const state = watch(client.request("tools/list", undefined, { timeoutMs: 100, onProgress: () => 0, ...options }));
    const { id } = await wire.next();
    let at = 0;
    let passed = 0;
    for (const step of steps) {
      await pass(step);
      passed += step;
      wire.receive(progress(id, step > 0 ? ++at : at));
    }
    await pass(ends - passed - 1);
    expect(state.ending).toBe("waiting");
    await pass(1);
    expect(state.ending).toBe("REQUEST_TIMEOUT");
    expect(wire.take()).toEqual([notification("notifications/cancelled", { requestId: id, reason: "timeout" })]);
  });

  test("by default, a request ends after ten minutes in spite of progress", async () => {
    const { client, wire } = await clientOf(R4);
    const state = watch(client.request("tools/list", undefined, { onProgress: () => 0 }));
    const { id } = await wire.next();
    for (let minute = 1; minute < 20; minute++) {
      await pass(30_000);
      wire.receive(progress(id, minute));
    }
    await pass(29_999);
    expect(state.ending).toBe("waiting");
    await pass(1);
    expect(state.ending).toBe("REQUEST_TIMEOUT");
  });
});

describe("a server's input requests", () => {
  const ask = {
    "tools/call": async (_: unknown, ctx: ServerContext) => ({ content: [], ...(await ctx.listRoots("r")) }),
  };

  test.each([
    ["ten minutes by default", {}, 600_000],
    ["as long as inputTimeoutMs", { inputTimeoutMs: 7_000, timeoutMs: 10 }, 7_000],
  ])("wait %s", async (_, options, after) => {
    const { wire, connection } = await serveSession(R4, options, ask, { roots: {} });
    wire.receive(call(1, R4));
    const { id } = await wire.next();
    await pass(after - 1);
    expect(wire.sent).toEqual([]);
    await pass(1);
    const [cancelled, answer] = wire.take();
    expect(cancelled).toEqual(notification("notifications/cancelled", { requestId: id, reason: "timeout" }));
    expect(answer).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
  });

  test("wait as long in a generated stub's `request`, except a ping", async () => {
    const { wire, connection } = await serveSession(R2, {}, {}, { roots: {} });
    const question = watch(connection.request("roots/list", undefined));
    const ping = watch(connection.request("ping", undefined));
    wire.take();
    await pass(60_000);
    expect([question.ending, ping.ending]).toEqual(["waiting", "REQUEST_TIMEOUT"]);
    await pass(540_000);
    expect(question.ending).toBe("REQUEST_TIMEOUT");
  });

  test("prefer their own timeout", async () => {
    const { wire, connection } = await serveSession(R4, {}, {}, { roots: {} });
    const question = watch(connection.request("roots/list", undefined, { timeoutMs: 5 }));
    wire.take();
    await pass(5);
    expect(question.ending).toBe("REQUEST_TIMEOUT");
  });
});
