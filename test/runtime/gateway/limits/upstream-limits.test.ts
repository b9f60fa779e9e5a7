import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import {
  type EnteringCall,
  type Leave,
  UpstreamLimits,
  type UpstreamLimitsOptions,
} from "../../../../runtime/src/gateway/limits/upstream-limits.js";
import { REFUSAL } from "../../../../runtime/src/jsonrpc/refusal.js";

const limitsOf = (options?: UpstreamLimitsOptions): UpstreamLimits => new UpstreamLimits("mail", options);
const now = (entered: Leave | Promise<Leave>): Leave => {
  if (typeof entered !== "function") expect.unreachable("the call waits");
  return entered;
};
/** The names of calls, in the order in which they run. */
const recordOrder = (limits: UpstreamLimits) => {
  const order: string[] = [];
  const enter = async (name: string, call?: EnteringCall): Promise<Leave> => {
    const leave = await limits.enter(call);
    order.push(name);
    return leave;
  };
  return { order, enter };
};
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("without limits, all calls run at once", () => {
  const limits = limitsOf();
  const calls = Array.from({ length: 10_000 }, () => now(limits.enter()));
  expect(limits.running).toBe(10_000);
  for (const leave of calls) leave();
  expect(limits.running).toBe(0);
});

describe("concurrency", () => {
  test("lets calls wait until others have ended, in their order", async () => {
    const limits = limitsOf({ concurrency: 2 });
    const { order, enter } = recordOrder(limits);
    const [a, b] = [now(limits.enter()), now(limits.enter())];
    const [c, d] = [enter("c"), enter("d")];
    expect([limits.running, limits.waiting]).toEqual([2, 2]);
    a();
    (await c)();
    await d;
    expect(order).toEqual(["c", "d"]);
    b();
    expect([limits.running, limits.waiting]).toEqual([1, 0]);
    (await d)();
    expect(limits.running).toBe(0);
    now(limits.enter());
  });

  test("counts the end of a call once", async () => {
    const limits = limitsOf({ concurrency: 1 });
    const leave = now(limits.enter());
    const [second, third] = [limits.enter(), limits.enter()];
    leave();
    leave();
    leave();
    await second;
    expect([limits.running, limits.waiting]).toEqual([1, 1]);
    (await second)();
    (await third)();
    expect(limits.running).toBe(0);
  });

  test("serves clients in turn", async () => {
    const limits = limitsOf({ concurrency: 1 });
    const { order, enter } = recordOrder(limits);
    const first = now(limits.enter());
    const client = {};
    const calls = ["a1", "a2", "a3"].map((name) => enter(name, { client }));
    calls.push(enter("b1", { client: "b" }));
    first();
    for (const call of [calls[0], calls[3], calls[1], calls[2]]) (await call)?.();
    expect(order).toEqual(["a1", "b1", "a2", "a3"]);
  });

  test("refuses calls when too many wait", async () => {
    const limits = limitsOf({ concurrency: 1, maxWaiting: 1 });
    const leave = now(limits.enter());
    const waiting = limits.enter();
    expect(() => limits.enter()).toThrow(
      expect.objectContaining({
        name: "ProtocolError",
        code: 429,
        message: 'Server "mail" is busy: 1 calls run and 1 wait; try again later (limit concurrency)',
        data: { [REFUSAL]: { status: 429, retryAfter: undefined } },
      }),
    );
    leave();
    (await waiting)();
    now(limits.enter());
  });

  test("lets the client with the most calls give way to others", async () => {
    const limits = limitsOf({ concurrency: 1, maxWaiting: 3 });
    const { order, enter } = recordOrder(limits);
    const leave = now(limits.enter());
    const flood = ["a1", "a2", "a3"].map((name) => enter(name, { client: "a" }));
    const other = enter("b1", { client: "b" });
    await expect(flood[2]).rejects.toMatchObject({ code: 429 });
    expect(() => limits.enter({ client: "a" })).toThrow(expect.objectContaining({ code: 429 }));
    leave();
    (await flood[0])?.();
    (await other)();
    (await flood[1])?.();
    expect(order).toEqual(["a1", "b1", "a2"]);
    expect(limits.running).toBe(0);
  });

  test("may let no call wait", () => {
    const limits = limitsOf({ concurrency: 1, maxWaiting: 0 });
    now(limits.enter());
    expect(() => limits.enter({ client: "b" })).toThrow(expect.objectContaining({ code: 429 }));
  });
});

describe("a signal", () => {
  test("that was aborted refuses the call", () => {
    const limits = limitsOf();
    expect(() => limits.enter({ signal: AbortSignal.abort(new Error("no longer wanted")) })).toThrow(
      "no longer wanted",
    );
    expect(limits.running).toBe(0);
  });

  test("ends the wait of a call, and no other", async () => {
    const limits = limitsOf({ concurrency: 1 });
    const leave = now(limits.enter());
    const controller = new AbortController();
    const aborted = limits.enter({ signal: controller.signal });
    const other = limits.enter();
    controller.abort(new Error("no longer wanted"));
    await expect(aborted).rejects.toThrow("no longer wanted");
    expect(limits.waiting).toBe(1);
    leave();
    (await other)();
    expect(limits.running).toBe(0);
  });

  test("does nothing after the call has begun", async () => {
    const limits = limitsOf({ concurrency: 1 });
    const leave = now(limits.enter());
    const controller = new AbortController();
    const second = limits.enter({ signal: controller.signal });
    leave();
    const leaveSecond = await second;
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    controller.abort();
    await settle();
    expect(limits.running).toBe(1);
    leaveSecond();
    expect(limits.running).toBe(0);
  });

  test("does not lose a place when it is aborted as another call ends", async () => {
    const limits = limitsOf({ concurrency: 1 });
    const leave = now(limits.enter());
    const controller = new AbortController();
    const second = limits.enter({ signal: controller.signal });
    leave();
    controller.abort();
    (await second)();
    expect(limits.running).toBe(0);
  });
});

test("a call does not wait longer than a call may take", async () => {
  const limits = limitsOf({ concurrency: 1, maxWaitMs: 20 });
  now(limits.enter());
  await expect(limits.enter()).rejects.toMatchObject({
    code: 429,
    message: expect.stringContaining("is busy") as string,
  });
  expect([limits.running, limits.waiting]).toEqual([1, 0]);
});

describe("calls per minute", () => {
  test("are refused with the time to wait", () => {
    const limits = limitsOf({ callsPerMinute: 2 });
    now(limits.enter())();
    now(limits.enter())();
    expect(() => limits.enter()).toThrow(
      expect.objectContaining({
        code: 429,
        message: 'Server "mail" accepts 2 calls a minute; try again in 60 s (limit callsPerMinute)',
        data: { retryAfterMs: expect.any(Number) as number, [REFUSAL]: { status: 429, retryAfter: 60 } },
      }),
    );
    expect(limits.running).toBe(0);
  });

  test("do not count calls that are refused because too many wait", () => {
    const limits = limitsOf({ concurrency: 1, maxWaiting: 0, callsPerMinute: 2 });
    const leave = now(limits.enter());
    for (let call = 0; call < 10; call++) expect(() => limits.enter()).toThrow("is busy");
    leave();
    now(limits.enter())();
    expect(() => limits.enter()).toThrow("accepts 2 calls a minute");
  });

  test("do not displace a call that waits", async () => {
    const limits = limitsOf({ concurrency: 1, maxWaiting: 2, callsPerMinute: 3 });
    const leave = now(limits.enter());
    const waiting = [limits.enter({ client: "a" }), limits.enter({ client: "a" })];
    expect(() => limits.enter({ client: "b" })).toThrow("accepts 3 calls a minute");
    expect(limits.waiting).toBe(2);
    leave();
    for (const call of waiting) (await call)();
  });
});

describe("the size of a result", () => {
  test("is not limited by default", () => {
    limitsOf().checkSize("x".repeat(2 ** 24));
  });

  test("is limited", () => {
    limitsOf({ maxBytes: 12 }).checkSize("0123456789");
    expect(() => limitsOf({ maxBytes: 11 }).checkSize("0123456789")).toThrow(
      expect.objectContaining({
        name: "ProtocolError",
        code: -32603,
        message: 'The result of server "mail" is larger than 11 bytes; request less (limit maxBytes)',
      }),
    );
  });
});

test("the name of a server is shown with escapes", () => {
  const limits = new UpstreamLimits("a\u202eb\n", { maxBytes: 0 });
  expect(() => limits.checkSize(1)).toThrow('server "a\\u{202e}b\\u{a}"');
});

test.each([
  [{ concurrency: 0 }, "concurrency must be a whole number that is 1 or more, not 0"],
  [{ concurrency: 1.5 }, "concurrency must be a whole number that is 1 or more, not 1.5"],
  [{ callsPerMinute: 0 }, "callsPerMinute must be a whole number that is 1 or more, not 0"],
  [{ callsPerMinute: -1 }, "callsPerMinute must be 0 or more, not -1"],
  [{ maxWaiting: Number.NaN }, "maxWaiting must be 0 or more, not NaN"],
  [{ maxBytes: -1 }, "maxBytes must be 0 or more, not -1"],
  [{ maxWaitMs: -1 }, "maxWaitMs must be 0 or more, not -1"],
])("%j is invalid", (options, message) => {
  expect(() => limitsOf(options)).toThrow(expect.objectContaining({ code: "INVALID_CONFIGURATION", message }));
});

test("ten thousand calls of a hundred clients all run, a few at a time", async () => {
  const limits = limitsOf({ concurrency: 3, maxWaiting: Infinity });
  let most = 0;
  const calls = Array.from({ length: 10_000 }, async (_, at) => {
    const leave = await limits.enter({ client: at % 100 });
    most = Math.max(most, limits.running);
    await Promise.resolve();
    leave();
  });
  await Promise.all(calls);
  expect(most).toBe(3);
  expect([limits.running, limits.waiting]).toEqual([0, 0]);
});
