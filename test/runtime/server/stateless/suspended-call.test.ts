import { describe, expect, onTestFinished, test, vi } from "vitest";
import { inputRequired } from "../../../../runtime/src/server.js";
import type { SuspensionOptions } from "../../../../runtime/src/server/suspension-options.js";
import type { ServerContext } from "../../../../runtime/src/server/contracts.js";
import { logLevelKey, modern, openOf, R5, serve, serverSide } from "../../connection/connection-ends.js";
import { idle, notification, request, Wire, type Message } from "../../connection/wire.js";

const form = { message: "?", requestedSchema: { type: "object" as const, properties: {} } };
const yes = { action: "accept", content: {} };
const no = { action: "decline" };

type Run = (ctx: ServerContext) => unknown;

async function suspending(run: Run, options: { suspension?: SuspensionOptions | false; maxRounds?: number } = {}) {
  return serve(
    { revisions: [serverSide(R5)], capabilities: { tools: {}, logging: {} }, ...options },
    { "tools/call": (_: unknown, ctx: ServerContext) => run(ctx) },
  );
}

let ids = 0;

function params(state?: unknown, inputResponses?: object, meta?: object): object {
  const retry = { ...(state !== undefined && { requestState: state }), ...(inputResponses && { inputResponses }) };
  return modern({ name: "t", ...retry }, { elicitation: {}, roots: {} }, meta);
}

function calling(wire: Wire, state?: unknown, inputResponses?: object, meta?: object): Promise<Message> {
  return wire.ask(++ids, "tools/call", params(state, inputResponses, meta));
}

const stateOf = ({ result }: Message): unknown => result?.["requestState"];
const asked = ({ result }: Message): string[] => Object.keys((result?.["inputRequests"] as object | undefined) ?? {});

async function later(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Stops the clock during the test. @returns lets the given number of milliseconds pass */
function stopClock(): (ms: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  return async (ms) => {
    await idle();
    await vi.advanceTimersByTimeAsync(ms);
    await idle();
  };
}

describe("a handler that waits", () => {
  test("runs once: a counter before the wait stays 1", async () => {
    let counter = 0;
    const { wire, connection } = await suspending(async (ctx) => {
      counter++;
      const first = await ctx.elicit("first", form);
      const second = await ctx.elicit("second", form);
      return { content: [], first, second, counter };
    });
    const one = await calling(wire);
    expect(asked(one)).toEqual(["first"]);
    expect(openOf(connection).handling).toBe(0);
    const two = await calling(wire, stateOf(one), { first: yes });
    expect(asked(two)).toEqual(["second"]);
    expect(stateOf(two)).not.toBe(stateOf(one));
    expect((await calling(wire, stateOf(two), { second: no })).result).toMatchObject({
      first: yes,
      second: no,
      counter: 1,
    });
  });

  test("sends all input requests of a Promise.all together", async () => {
    const { wire } = await suspending(async (ctx) => ({
      content: [],
      answers: await Promise.all([ctx.elicit("a", form), ctx.elicit("b", form), ctx.listRoots("c")]),
    }));
    const one = await calling(wire);
    expect(asked(one)).toEqual(["a", "b", "c"]);
    // Two of three have responses: the third is sent again.
    const two = await calling(wire, stateOf(one), { a: yes, c: { roots: [] } });
    expect(asked(two)).toEqual(["b"]);
    expect((await calling(wire, stateOf(two), { b: no })).result).toMatchObject({ answers: [yes, no, { roots: [] }] });
  });

  test("requests roots again that are not file URIs", async () => {
    const { wire } = await suspending(async (ctx) => ({ content: [], answers: await ctx.listRoots("a") }));
    const elsewhere = { a: { roots: [{ uri: "https://evil.test/x" }] } };
    const two = await calling(wire, stateOf(await calling(wire)), elsewhere);
    expect(asked(two)).toEqual(["a"]);
    expect((await calling(wire, stateOf(two), elsewhere)).error).toEqual({
      code: -32602,
      message: 'Invalid params: inputResponses["a"]: /roots/0/uri: must be a file: URI',
    });
  });

  test("receives no content without an accepted form", async () => {
    const { wire } = await suspending(async (ctx) => ({ content: [], answers: await ctx.elicit("a", form) }));
    const declined = { a: { action: "decline", content: { name: 5 } } };
    expect((await calling(wire, stateOf(await calling(wire)), declined)).result?.["answers"]).toEqual({
      action: "decline",
    });
  });

  test("sends input requests of the same turn in one round", async () => {
    const { wire } = await suspending(async (ctx) => {
      const a = ctx.elicit("a", form);
      await Promise.resolve();
      await Promise.resolve();
      const b = ctx.elicit("b", form);
      return { content: [], answers: await Promise.all([a, b]) };
    });
    expect(asked(await calling(wire))).toEqual(["a", "b"]);
  });

  test("can do slow work before, between and after", async () => {
    const { wire } = await suspending(async (ctx) => {
      await later(2);
      const a = await ctx.elicit("a", form);
      await later(2);
      const b = await ctx.elicit("b", form);
      await later(2);
      return { content: [], answers: [a, b] };
    });
    const two = await calling(wire, stateOf(await calling(wire)), { a: yes });
    expect((await calling(wire, stateOf(two), { b: yes })).result).toMatchObject({ answers: [yes, yes] });
  });

  test("can end without an open request: the retry gets the outcome", async () => {
    let go!: () => void;
    const going = new Promise<void>((resolve) => (go = resolve));
    const { wire } = await suspending(async (ctx) => {
      const asking = ctx.elicit("a", form).catch(() => "unanswered");
      await Promise.race([asking, going]);
      return { content: [], raced: true };
    });
    const one = await calling(wire);
    go();
    await idle();
    expect((await calling(wire, stateOf(one), {})).result).toMatchObject({ raced: true });
  });

  test.each<[string, Run, number]>([
    [
      "with a ProtocolError",
      async (ctx) => Promise.reject(Object.assign(new Error(), { answer: await ctx.elicit("a", form) })),
      -32603,
    ],
    ["by returning nothing", (ctx) => ctx.elicit("a", form).then(() => undefined), -32603],
    [
      "by also returning inputRequired",
      async (ctx) => {
        await ctx.elicit("a", form);
        return inputRequired({ inputRequests: { b: inputRequired.elicit(form) } });
      },
      -32603,
    ],
  ])("can fail %s", async (_, run, code) => {
    const { wire, connection } = await suspending(run);
    const one = await calling(wire);
    expect((await calling(wire, stateOf(one), { a: yes })).error?.code).toBe(code);
    expect(openOf(connection).handling).toBe(0);
  });

  test("sends logs and progress on the open request, and none without one", async () => {
    let away!: () => void;
    const left = new Promise<void>((resolve) => (away = resolve));
    const { wire } = await suspending(async (ctx) => {
      ctx.progress({ progress: 1 });
      ctx.log("error", "before");
      const asking = ctx.elicit("a", form);
      await left;
      ctx.log("error", "unheard");
      ctx.progress({ progress: 2 });
      await asking;
      ctx.log("error", "after");
      ctx.progress({ progress: 3 });
      return { content: [] };
    });
    wire.receive(
      request("one", "tools/call", params(undefined, undefined, { [logLevelKey]: "info", progressToken: "p1" })),
    );
    expect([await wire.next(), await wire.next()]).toMatchObject([
      { method: "notifications/progress", params: { progressToken: "p1" } },
      { params: { data: "before" } },
    ]);
    const one = await wire.next();
    away();
    expect(await wire.rest()).toEqual([]);
    wire.receive(
      request("two", "tools/call", params(stateOf(one), { a: yes }, { [logLevelKey]: "info", progressToken: "p2" })),
    );
    expect([await wire.next(), await wire.next(), await wire.next()]).toMatchObject([
      { params: { data: "after" } },
      { method: "notifications/progress", params: { progressToken: "p2", progress: 3 } },
      { id: "two", result: { resultType: "complete" } },
    ]);
  });

  test("sends logs when a later request sets a level", async () => {
    const { wire } = await suspending(async (ctx) => {
      await ctx.elicit("a", form);
      ctx.log("error", "x");
      return { content: [] };
    });
    wire.receive(request("r", "tools/call", params(stateOf(await calling(wire)), { a: yes })));
    expect((await wire.next()).id).toBe("r");
  });
});

describe("a wait ends without a response", () => {
  /** A handler that records how its wait ended. */
  function waiting() {
    const log: unknown[] = [];
    const run: Run = async (ctx) => {
      log.push("begin");
      try {
        return { content: [], answer: await ctx.elicit("a", form) };
      } catch (error) {
        log.push((error as { code?: unknown }).code, ctx.signal.aborted);
        throw error;
      } finally {
        log.push("finally");
      }
    };
    return { log, run };
  }

  test("when its time has expired", async () => {
    const pass = stopClock();
    const { log, run } = waiting();
    const { wire, server } = await suspending(run, { suspension: { ttlMs: 50 } });
    const [one] = await Promise.all([calling(wire), pass(1)]);
    expect(log).toEqual(["begin"]);
    await pass(120);
    expect(log).toEqual(["begin", "REQUEST_TIMEOUT", true, "finally"]);
    expect((await calling(wire, stateOf(one), { a: yes })).error).toEqual({
      code: -32602,
      message: "Invalid or expired requestState",
    });
    expect(server.suspendedCalls?.take("")).toBeUndefined();
  });

  test("after its own time", async () => {
    const pass = stopClock();
    const { log, run } = waiting();
    const { wire } = await suspending(run, { suspension: { ttlMs: 200 } });
    await Promise.all([calling(wire), pass(1)]);
    await pass(130);
    const [two] = await Promise.all([calling(wire), pass(1)]);
    await pass(100);
    expect(log.filter((one) => one === "finally")).toHaveLength(1);
    expect((await calling(wire, stateOf(two), { a: yes })).result).toMatchObject({ answer: yes });
  });

  test("when the connection ends", async () => {
    const { log, run } = waiting();
    const { wire, errors } = await suspending(run);
    await calling(wire);
    wire.break();
    await idle();
    expect(log).toEqual(["begin", "CONNECTION_CLOSED", true, "finally"]);
    expect(errors).toEqual([]);
  });

  test("when its open request is cancelled: before the suspension", async () => {
    const { log, run } = waiting();
    const { wire } = await suspending(run);
    wire.receive(request("r", "tools/call", params()));
    wire.receive(notification("notifications/cancelled", { requestId: "r" }));
    await later(5);
    expect(log).toEqual(["begin", "REQUEST_CANCELLED", true, "finally"]);
    expect(await wire.rest()).toEqual([]);
  });

  test("when its open request is cancelled: a later one", async () => {
    const log: unknown[] = [];
    let go!: () => void;
    const going = new Promise<void>((resolve) => (go = resolve));
    const { wire, connection } = await suspending(async (ctx) => {
      await ctx.elicit("a", form);
      go();
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      log.push((ctx.signal.reason as { code: string }).code);
      return { content: [] };
    });
    const one = await calling(wire);
    wire.receive(request("r", "tools/call", params(stateOf(one), { a: yes })));
    await going;
    wire.receive(notification("notifications/cancelled", { requestId: "r" }));
    await idle();
    expect(log).toEqual(["REQUEST_CANCELLED"]);
    expect(await wire.rest()).toEqual([]);
    expect(openOf(connection).handling).toBe(0);
  });

  test("when the retry with its response is cancelled early", async () => {
    const { log, run } = waiting();
    const { wire, errors } = await suspending(run);
    const one = await calling(wire);
    wire.receive(request("r", "tools/call", params(stateOf(one), { a: yes })));
    wire.receive(notification("notifications/cancelled", { requestId: "r" }));
    // Each request decrypts its state in another thread. A later one could be faster.
    await vi.waitFor(() => expect(log).toEqual(["begin", "REQUEST_CANCELLED", true, "finally"]));
    expect((await calling(wire, stateOf(one), { a: no })).error?.code).toBe(-32602);
    expect(await wire.rest()).toEqual([]);
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("no longer waits")]);
  });

  test("when a retry lacks the capability, or has an invalid response twice", async () => {
    for (const spoil of [
      (wire: Wire, state: unknown) =>
        wire.ask(++ids, "tools/call", modern({ name: "t", requestState: state, inputResponses: { a: yes } })),
      async (wire: Wire, state: unknown) =>
        calling(wire, stateOf(await calling(wire, state, { a: { roots: [] } })), { a: { roots: [] } }),
    ]) {
      const { log, run } = waiting();
      const { wire, connection } = await suspending(run);
      const refusal = await spoil(wire, stateOf(await calling(wire)));
      expect([-32021, -32602]).toContain(refusal.error?.code);
      await idle();
      expect(log).toEqual(["begin", "REQUEST_CANCELLED", true, "finally"]);
      expect(openOf(connection).handling).toBe(0);
    }
  });

  test("when it exceeds maxRounds", async () => {
    const { log, run } = waiting();
    const { wire } = await suspending(run, { maxRounds: 1 });
    const one = await calling(wire);
    expect((await calling(wire, stateOf(one), {})).error?.code).toBe(-32603);
    await idle();
    expect(log.at(-1)).toBe("finally");
  });

  test("when its handler has returned", async () => {
    const log: unknown[] = [];
    const { wire, connection } = await suspending((ctx) => {
      ctx.elicit("a", form).catch((error: unknown) => log.push((error as { code?: unknown }).code));
      return { content: [] };
    });
    expect((await calling(wire)).result).toMatchObject({ resultType: "complete" });
    await later(10);
    expect(log).toEqual(["REQUEST_CANCELLED"]);
    expect(openOf(connection).handling).toBe(0);
  });
});

describe("the number of waiting handlers is limited", () => {
  test("a handler beyond the limit fails, and its finally runs; a free place is used again", async () => {
    const log: string[] = [];
    const { wire } = await suspending(
      async (ctx) => {
        try {
          return { content: [], answer: await ctx.elicit("a", form) };
        } finally {
          log.push("finally");
        }
      },
      { suspension: { max: 2 } },
    );
    const one = await calling(wire);
    await calling(wire);
    const three = await calling(wire);
    expect(three.error).toEqual({ code: -32603, message: "Too many requests wait for input" });
    await idle();
    expect(log).toEqual(["finally"]);
    await calling(wire, stateOf(one), { a: yes });
    expect(asked(await calling(wire))).toEqual(["a"]);
  });

  test("1,000 waiting handlers are released with their connection", async () => {
    let ended = 0;
    const { wire, server } = await suspending(async (ctx) => {
      try {
        return { content: [], answer: await ctx.elicit("a", form) };
      } finally {
        ended++;
      }
    });
    for (let turn = 0; turn < 1_000; turn++) wire.receive(request(`n${turn}`, "tools/call", params()));
    for (let turn = 0; turn < 1_000; turn++) expect(asked(await wire.next())).toEqual(["a"]);
    wire.break();
    await idle();
    expect(ended).toBe(1_000);
    const again = new Wire();
    await server.connect(again);
    expect(asked(await calling(again))).toEqual(["a"]);
  });
});

describe("a handler cannot wait", () => {
  const code = async (run: Run, options?: { suspension: false }) => {
    const seen: { code?: unknown; message?: string }[] = [];
    const { wire } = await suspending(async (ctx) => {
      try {
        await run(ctx);
      } catch (error) {
        seen.push(error as Error);
      }
      return { content: [] };
    }, options);
    await calling(wire);
    return seen[0];
  };

  test("with suspension: false, and the error names the alternatives", async () => {
    const error = await code((ctx) => ctx.elicit("a", form), { suspension: false });
    expect(error?.code).toBe("CANNOT_ASK");
    expect(error?.message).toMatch(/register inputRequests or return inputRequired/);
  });

  test("for two responses under one key", async () => {
    const { wire } = await suspending(async (ctx) => {
      const first = ctx.elicit("a", form);
      const second = await ctx.elicit("a", form).catch((error: unknown) => (error as { code: string }).code);
      return { content: [], answers: [await first, second] };
    });
    const one = await calling(wire);
    expect((await calling(wire, stateOf(one), { a: yes })).result).toMatchObject({ answers: [yes, "CANNOT_ASK"] });
  });

  test("for an invalid form", async () => {
    const error = await code((ctx) =>
      ctx.elicit("a", {
        message: "?",
        requestedSchema: { type: "object", properties: { x: { type: "object" } } },
      } as never),
    );
    expect(error?.code).toBe("CANNOT_ASK");
  });

  test.each([
    ["tools/list", {}],
    ["completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } }],
  ])("in %s", async (method, own) => {
    const { wire, errors } = await serve(
      { revisions: [serverSide(R5)], capabilities: { tools: {}, completions: {} } },
      { [method]: async (_: unknown, ctx: ServerContext) => ({ answer: await ctx.elicit("a", form) }) },
    );
    expect((await wire.ask(1, method, modern(own, { elicitation: {} }))).error?.code).toBe(-32603);
    expect(errors).toMatchObject([{ code: "CANNOT_ASK" }]);
  });
});

test("a waiting handler survives the connection of its last response, but not its own", async () => {
  const { wire, server } = await suspending(async (ctx) => ({
    content: [],
    answers: [await ctx.elicit("a", form), await ctx.elicit("b", form)],
  }));
  const other = new Wire();
  await server.connect(other);
  const two = await calling(other, stateOf(await calling(wire)), { a: yes });
  other.break();
  expect((await calling(wire, stateOf(two), { b: no })).result).toMatchObject({ answers: [yes, no] });
});
