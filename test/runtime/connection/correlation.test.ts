import { describe, expect, test } from "vitest";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import { SdkError } from "../../../runtime/src/jsonrpc/errors.js";
import { all, call, clientOf, handshakeEra, openOf, R4, serve, serveEither, serveSession } from "./connection-ends.js";
import { error, idle, notification, request, result, Wire } from "./wire.js";

/** A promise with its settling functions. */
function gate<Value>() {
  let open!: (value: Value) => void;
  const opened = new Promise<Value>((resolve) => (open = resolve));
  return { open, opened };
}

describe("responses settle their requests", () => {
  test.each(all)("%s: in any order", async (revision) => {
    const { client, wire } = await clientOf(revision);
    const calls = ["a", "b", "c"].map((name) => client.request("tools/call", { name }));
    const ids = wire.take().map(({ id }) => id as number);
    for (const id of [...ids].reverse()) wire.receive(result(id, { content: [], of: id }));
    expect(await Promise.all(calls)).toEqual(ids.map((id) => ({ content: [], of: id })));
    expect(client.waiting).toBe(0);
  });

  test.each(all)("%s: a server responds in the order in which its handlers finish", async (revision) => {
    const gates = { slow: gate<undefined>(), fast: gate<undefined>() };
    const tool = async ({ name }: { name: "slow" | "fast" }) => {
      await gates[name].opened;
      return { content: [] };
    };
    const { wire, connection } = await serveEither(revision, { "tools/call": tool });
    wire.receive(call(1, revision, "slow"));
    wire.receive(call(2, revision, "fast"));
    gates.fast.open(undefined);
    expect((await wire.next()).id).toBe(2);
    gates.slow.open(undefined);
    expect((await wire.next()).id).toBe(1);
    expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
  });

  test("by direction: both sides use the same id at once", async () => {
    const sample = { messages: [], maxTokens: 1 };
    const { wire } = await serveSession(
      R4,
      {},
      {
        "tools/call": async (_: unknown, ctx: ServerContext) => ({
          content: [],
          answer: await ctx.sample("q", sample),
        }),
      },
      { sampling: {} },
    );
    wire.receive(call(1, R4));
    const question = await wire.next();
    expect(question).toMatchObject({ id: 1, method: "sampling/createMessage" });
    const said = { role: "assistant", content: { type: "text", text: "x" }, model: "m" };
    wire.receive(result(1, said));
    expect(await wire.next()).toEqual(result(1, { content: [], answer: said }));
  });

  test("both sides send requests while they handle one", async () => {
    const { client, wire } = await clientOf(R4, { capabilities: { roots: {} } });
    const roots = gate<object>();
    client.handle({ "roots/list": () => roots.opened });
    const asked = client.request("tools/call", { name: "t" });
    wire.receive(request(1, "roots/list"));
    wire.receive(result(1, { content: [] }));
    expect(await asked).toEqual({ content: [] });
    roots.open({ roots: [] });
    await idle();
    expect(wire.take()).toEqual([request(1, "tools/call", { name: "t" }), result(1, { roots: [] })]);
  });
});

describe("ids keep their type", () => {
  test.each(all)('%s: 1 and "1" are different requests', async (revision) => {
    const first = gate<object>();
    const tool = ({ name }: { name: string }) => (name === "wait" ? first.opened : { content: [] });
    const { wire } = await serveEither(revision, { "tools/call": tool });
    wire.receive(call(1, revision, "wait"));
    wire.receive(call("1", revision, "go"));
    expect((await wire.next()).id).toBe("1");
    first.open({ content: [] });
    expect((await wire.next()).id).toBe(1);
  });

  test.each(["", "0", "a b", "\u{1F600}", 0, -1, 9_007_199_254_740_991])("returns the id %j unchanged", async (id) => {
    const { wire } = await serve();
    expect(await wire.ask(id, "ping")).toEqual(result(id));
  });

  test('a response to "1" does not settle 1', async () => {
    const { client, wire, errors } = await clientOf(R4);
    const asked = client.request("tools/list", undefined);
    wire.receive(result("1", { tools: ["wrong"] }));
    wire.receive(result(1, { tools: [] }));
    expect(await asked).toEqual({ tools: [] });
    expect(errors).toMatchObject([
      { code: "INVALID_MESSAGE", message: "received a response whose id matches no pending request" },
    ]);
  });
});

test("never uses an id twice", async () => {
  const { client, wire } = await clientOf(R4);
  const outcomes: Promise<unknown>[] = [];
  for (let round = 0; round < 25; round++) {
    const controller = new AbortController();
    outcomes.push(client.request("tools/list", undefined));
    outcomes.push(client.request("tools/list", undefined, { signal: controller.signal }));
    outcomes.push(client.request("tools/list", undefined));
    outcomes.push(client.request("no/such/method", undefined));
    controller.abort();
    const requests = wire.sent.filter(({ method }) => method === "tools/list");
    wire.receive(result(requests.at(-1)?.id ?? "", { tools: [] }));
    wire.receive(error(requests.at(-3)?.id ?? "", -32603));
  }
  await Promise.allSettled(outcomes);
  const ids = wire.take().flatMap(({ method, id }) => (method === "tools/list" ? [id] : []));
  expect(ids).toHaveLength(75);
  expect(new Set(ids).size).toBe(75);
  expect(client.waiting).toBe(0);
});

test.each([
  ["a result with an unknown id", result(7)],
  ["an error with an unknown id", error(7, -32603)],
  ["a second response", result(1, { tools: [] })],
  ["a response without id", { jsonrpc: "2.0", result: {} }],
  ["a response with id null", { jsonrpc: "2.0", id: null, result: {} }],
  ["an id that is an object", { jsonrpc: "2.0", id: {}, result: {} }],
])("reports %s and continues", async (_, message) => {
  const { client, wire, errors } = await clientOf(R4);
  const first = client.request("tools/list", undefined);
  wire.receive(result(1, { tools: [] }));
  await first;
  wire.take();
  wire.receive(message);
  expect(errors.map((one) => (one as SdkError).code)).toEqual(["INVALID_MESSAGE"]);
  const next = client.request("tools/list", undefined);
  wire.receive(result(2, { tools: [] }));
  expect(await next).toEqual({ tools: [] });
  expect(wire.take().map(({ method }) => method)).toEqual(["tools/list"]);
});

test.each([
  ["a non-object result", { result: 5 }, "INVALID_MESSAGE"],
  ["a result that is an array", { result: [] }, "INVALID_MESSAGE"],
  ["both result and error", { result: {}, error: { code: 1, message: "m" } }, "INVALID_MESSAGE"],
  ["an error without message", { error: { code: 1 } }, "INVALID_MESSAGE"],
  ["an error with a fractional code", { error: { code: 1.5, message: "m" } }, "INVALID_MESSAGE"],
  ["an error with a string code", { error: { code: "1", message: "m" } }, "INVALID_MESSAGE"],
  ["an error that is a string", { error: "m" }, "INVALID_MESSAGE"],
  ["an error", { error: { code: 42, message: "m", data: [1] } }, 42],
])("rejects a request whose response has %s", async (_, answer, code) => {
  const { client, wire } = await clientOf(R4);
  const asked = client.request("tools/list", undefined);
  wire.receive({ jsonrpc: "2.0", id: 1, ...answer });
  await expect(asked).rejects.toMatchObject({ code });
  expect(client.waiting).toBe(0);
});

test("keeps code, message and data of an error", async () => {
  const { client, wire } = await clientOf(R4);
  const asked = client.request("tools/list", undefined);
  wire.receive(error(1, -32000, "full", { retry: { after: 5 } }));
  await expect(asked).rejects.toMatchObject({
    name: "RemoteError",
    code: -32000,
    message: "full",
    data: { retry: { after: 5 } },
  });
});

describe("the end of a connection", () => {
  test.each([undefined, new Error("cable cut")])(
    "rejects pending requests (%s) and aborts running handlers",
    async (cause) => {
      const { client, wire } = await clientOf(R4, { capabilities: { roots: {} } });
      const reasons: unknown[] = [];
      client.handle({
        "roots/list": (_: unknown, { signal }: { signal: AbortSignal }) =>
          new Promise(() => signal.addEventListener("abort", () => reasons.push(signal.reason))),
      });
      const asked = [client.request("tools/list", undefined), client.request("tools/call", { name: "t" })];
      wire.receive(request(1, "roots/list"));
      wire.break(cause);
      const message = `the connection was closed${cause ? `: ${cause.message}` : ""}`;
      for (const one of asked) await expect(one).rejects.toMatchObject({ code: "CONNECTION_CLOSED", message, cause });
      expect(reasons).toMatchObject([{ code: "CONNECTION_CLOSED" }]);
      expect([client.waiting, client.handling, client.isOpen]).toEqual([0, 0, false]);
      await expect(client.request("tools/list", undefined)).rejects.toMatchObject({ code: "NOT_CONNECTED" });
      await expect(client.notify("notifications/progress", {})).rejects.toMatchObject({ code: "NOT_CONNECTED" });
      await client.close();
    },
  );

  test("sends nothing afterwards, even if a handler finishes", async () => {
    const late = gate<object>();
    const { wire, connection, errors, server } = await serveSession(R4, {}, { "tools/call": () => late.opened });
    wire.receive(call(1, R4));
    wire.break();
    wire.take();
    late.open({ content: [] });
    expect(await wire.rest()).toEqual([]);
    expect(errors).toEqual([]);
    expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
    expect(server.connections.size).toBe(0);
  });

  test("rejects a second opening", async () => {
    const { client } = await clientOf(R4);
    await expect(client.open()).rejects.toMatchObject({ code: "ALREADY_CONNECTED" });
  });
});

test("rejects only the request whose message cannot be sent", async () => {
  const { client, wire } = await clientOf(R4);
  wire.failure = new Error("full");
  const failed = client.request("tools/list", undefined);
  await expect(failed).rejects.toMatchObject({ code: "SEND_FAILED", cause: wire.failure });
  await expect(client.request("tools/call", { name: "t", arguments: { n: 1n } })).rejects.toMatchObject({
    code: "SEND_FAILED",
  });
  wire.failure = undefined;
  const next = client.request("tools/list", undefined);
  wire.receive(result((await wire.next()).id ?? "", { tools: [] }));
  expect(await next).toEqual({ tools: [] });
  expect(client.waiting).toBe(0);
});

test("ignores the response to a request that was reported as not sent, although it arrived", async () => {
  const { client, wire, errors } = await clientOf(R4);
  wire.failure = new Error("503");
  await expect(client.request("tools/list", undefined)).rejects.toMatchObject({ code: "SEND_FAILED" });
  wire.receive(result(1, { tools: [] }));
  expect(errors).toEqual([]);
  wire.receive(result(1, { tools: [] }));
  expect(errors).toMatchObject([{ code: "INVALID_MESSAGE" }]);
});

test("responds with an error to a result that cannot be serialized", async () => {
  const { wire, errors } = await serveSession(R4, {}, { "tools/call": () => ({ content: [], big: 1n }) });
  expect(await wire.ask(1, "tools/call", { name: "t" })).toMatchObject({ id: 1, error: { code: -32603 } });
  expect(errors.length).toBeGreaterThan(0);
  expect(await wire.ask(2, "ping")).toEqual(result(2));
});

test.each([
  [
    "a promise whose then throws",
    {
      then() {
        throw new Error("odd");
      },
    },
  ],
  [
    "a getter of then that throws",
    {
      get then() {
        throw new Error("odd");
      },
    },
  ],
  [
    "a proxy whose traps throw",
    new Proxy(
      {},
      {
        get() {
          throw new Error("odd");
        },
      },
    ),
  ],
  [
    "a toJSON that throws an SdkError",
    {
      toJSON() {
        throw new SdkError("INVALID_RESULT", "odd");
      },
    },
  ],
])("%s is an internal error, and frees the id", async (_, outcome) => {
  const { wire, errors } = await serveSession(R4, {}, { "tools/call": () => outcome });
  for (let turn = 0; turn < 2; turn++)
    expect(await wire.ask(1, "tools/call", { name: "t" })).toEqual(error(1, -32603, "Internal error"));
  expect(errors.map(({ message }) => message)).toEqual(["odd", "odd"]);
});

test("two connections of one server share neither ids nor state", async () => {
  const first = gate<object>();
  const { server, wire: a } = await serveSession(R4, {}, { "tools/call": () => first.opened });
  const b = new Wire();
  await server.connect(b);
  a.receive(call(1, R4));
  b.receive(notification("notifications/cancelled", { requestId: 1 }));
  b.receive(call(1, R4));
  expect(await b.next()).toMatchObject({ id: 1, error: { code: -32602 } });
  first.open({ content: [] });
  expect(await a.next()).toEqual(result(1, { content: [] }));
});

test.each(handshakeEra)("%s: a hundred requests each way at once", async (revision) => {
  const { wire, connection } = await serveSession(
    revision,
    {},
    { "tools/call": async (_: unknown, ctx: ServerContext) => ({ content: [], ...(await ctx.listRoots("r")) }) },
    { roots: {} },
  );
  for (let id = 1; id <= 100; id++) wire.receive(call(id, revision));
  await idle();
  const questions = wire.take();
  expect(questions.map(({ method }) => method)).toEqual(Array(100).fill("roots/list"));
  for (const { id } of questions.reverse())
    wire.receive(result(id ?? "", { roots: [{ uri: `file:///${String(id)}` }] }));
  const answers = await wire.rest();
  expect(answers).toHaveLength(100);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(100);
  expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
});
