import { describe, expect, test } from "vitest";
import { ProtocolError } from "../../../runtime/src/jsonrpc/errors.js";
import { compose, type Middleware } from "../../../runtime/src/connection/middleware.js";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import { all, call, clientOf, R2, R4, R5, serveEither, serveSession } from "./connection-ends.js";
import { error, type Message, notification, rejected, request, result, Wire } from "./wire.js";
import { abandon } from "../../support/abandon.js";

describe("middleware", () => {
  const layer =
    (name: string, log: string[]): Middleware<ServerContext> =>
    (_, next) => {
      log.push(`${name} in`);
      const answer = next();
      log.push(`${name} out`);
      return answer;
    };
  const asyncLayer =
    (name: string, log: string[]): Middleware<ServerContext> =>
    async (_, next) => {
      log.push(`${name} in`);
      const answer = await next();
      log.push(`${name} out`);
      return answer;
    };

  test.each(all)("%s: the first is the outermost, sync", async (revision) => {
    const log: string[] = [];
    const handler = () => {
      log.push("handler");
      return { content: [] };
    };
    const { wire } = await serveEither(
      revision,
      { "tools/call": handler },
      { middleware: [layer("a", log), layer("b", log)] },
    );
    log.length = 0;
    wire.receive(call(1, revision));
    // A synchronous chain responds in the same turn.
    expect(wire.take()).toMatchObject([{ id: 1, result: { content: [] } }]);
    expect(log).toEqual(["a in", "b in", "handler", "b out", "a out"]);
  });

  test.each(all)("%s: sync and async may be mixed", async (revision) => {
    const log: string[] = [];
    const { wire } = await serveEither(
      revision,
      { "tools/call": () => Promise.resolve({ content: [] }) },
      { middleware: [asyncLayer("a", log), layer("b", log), asyncLayer("c", log)] },
    );
    log.length = 0;
    wire.receive(call(1, revision));
    expect(await wire.next()).toMatchObject({ id: 1, result: { content: [] } });
    expect(log).toEqual(["a in", "b in", "c in", "b out", "c out", "a out"]);
  });

  const rows: readonly [string, Middleware<ServerContext>, object][] = [
    [
      "returns a result instead of the handler",
      () => ({ content: [], from: "layer" }),
      { result: { content: [], from: "layer" } },
    ],
    [
      "changes the result",
      async (_, next) => ({ ...((await next()) as object), more: 1 }),
      { result: { content: [], more: 1 } },
    ],
    [
      "throws a ProtocolError",
      () => {
        throw new ProtocolError(-32000, "quota", { left: 0 });
      },
      { error: { code: -32000, message: "quota", data: { left: 0 } } },
    ],
    [
      "rejects with a ProtocolError",
      () => Promise.reject(new ProtocolError(-32000, "quota")),
      { error: { code: -32000, message: "quota" } },
    ],
    [
      "fails",
      () => {
        throw new Error("secret");
      },
      { error: { code: -32603, message: "Internal error" } },
    ],
    ["forgets to return", (_, next) => void next(), { error: { code: -32603, message: "Internal error" } }],
    [
      "sees the method and the params",
      ({ method, params }) => ({ content: [], method, params }),
      { result: { content: [], method: "tools/call", params: { name: "t" } } },
    ],
  ];
  test.each(rows)("a middleware that %s", async (_, middleware, answer) => {
    const only: Middleware<ServerContext> = (context, next) =>
      context.method === "tools/call" ? middleware(context, next) : next();
    const { wire } = await serveSession(R4, { middleware: [only] }, { "tools/call": () => ({ content: [] }) });
    wire.receive(call(1, R4));
    expect(await wire.next()).toEqual({ jsonrpc: "2.0", id: 1, ...answer });
  });

  test("maps errors of a handler to a code", async () => {
    class Teapot extends Error {}
    const { wire } = await serveSession(
      R4,
      {
        middleware: [
          async (_, next) => {
            try {
              return await next();
            } catch (problem) {
              throw problem instanceof Teapot ? new ProtocolError(418, "short and stout") : problem;
            }
          },
        ],
      },
      { "tools/call": () => Promise.reject(new Teapot()) },
    );
    wire.receive(call(1, R4));
    expect(await wire.next()).toEqual(error(1, 418, "short and stout"));
  });

  test("wraps initialize and ping, but no notifications and no requests that are rejected earlier", async () => {
    const seen: string[] = [];
    const { wire } = await serveSession(R4, {
      middleware: [
        ({ method }, next) => {
          seen.push(method);
          return next();
        },
      ],
    });
    await wire.ask(1, "ping");
    await wire.ask(2, "no/such");
    await wire.ask(3, "tools/call", { name: 5 });
    expect(seen).toEqual(["initialize", "ping"]);
  });

  test("without middleware, the handler runs directly", () => {
    const handler = (context: string): string => `${context}!`;
    expect(compose([], handler)).toBe(handler);
  });
});

describe("the trace hook", () => {
  test("is called on a server with every message in both directions, including batches and invalid ones", async () => {
    const seen: unknown[] = [];
    const { wire, connection } = await serveSession(R2, {
      trace: (direction, message) => seen.push([direction, message]),
    });
    seen.length = 0;
    const batch = [request(1, "ping"), notification("no/such")];
    wire.receive(batch);
    wire.receive({ broken: true });
    const ping = connection.request("ping", undefined);
    wire.receive(result(1));
    await ping;
    expect(seen).toEqual([
      ["in", batch],
      ["out", [result(1)]],
      ["in", { broken: true }],
      ["out", request(1, "ping")],
      ["in", result(1)],
    ]);
  });

  test("can distinguish requests from notifications by the id", async () => {
    const seen: [string, boolean][] = [];
    const { connection } = await serveSession(R4, {
      trace: (_, message) => seen.push([(message as Message).method ?? "", "id" in (message as Message)]),
    });
    seen.length = 0;
    connection.request("ping", undefined).catch(() => undefined);
    await connection.notify("notifications/message", { level: "error", data: 1 });
    expect(seen).toEqual([
      ["ping", true],
      ["notifications/message", false],
    ]);
  });

  test("is called on a client, with the connection", async () => {
    const seen: unknown[] = [];
    const { client, wire } = await clientOf(R4, { trace: (...event) => seen.push(event) });
    const asked = client.request("tools/list", undefined);
    wire.receive(result(1, { tools: [] }));
    wire.receive(notification("notifications/tools/list_changed"));
    await asked;
    expect(seen).toEqual([
      ["out", request(1, "tools/list"), client],
      ["in", result(1, { tools: [] }), client],
      ["in", notification("notifications/tools/list_changed"), client],
    ]);
  });

  test("may throw: the error is reported, and no message is lost", async () => {
    const { wire, errors } = await serveSession(R4, {
      trace: () => {
        throw new Error("trace");
      },
    });
    errors.length = 0;
    expect(await wire.ask(1, "ping")).toEqual(result(1));
    expect(errors.map(({ message }) => message)).toEqual(["trace", "trace"]);
  });
});

test("onerror may throw", async () => {
  const { wire } = await serveSession(
    R4,
    {
      onerror: () => {
        throw new Error("onerror");
      },
    },
    { "tools/call": () => Promise.reject(new Error("handler")) },
  );
  wire.receive({ broken: true });
  wire.receive(call(1, R4));
  wire.receive(result(99));
  wire.onerror?.(new Error("transport"));
  expect((await wire.rest()).map(({ id, error: problem }) => [id, problem?.code])).toEqual([
    [undefined, -32600],
    [1, -32603],
  ]);
  expect(await wire.ask(2, "ping")).toEqual(result(2));
});

test("a thrown value that is not an error is passed to onerror as an error", async () => {
  const { wire, errors } = await serveSession(R4, {}, { "tools/call": () => rejected("text") });
  wire.receive(call(1, R4));
  await wire.next();
  expect(errors).toMatchObject([{ message: "text" }]);
  expect(errors[0]).toBeInstanceOf(Error);
});

describe("trace context", () => {
  const trace = {
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    tracestate: "v=1",
    baggage: "user=7",
  };

  test.each(all)("%s: a handler can read it, without other metadata", async (revision) => {
    const { wire } = await serveEither(revision, {
      "tools/call": (_: unknown, ctx: ServerContext) => ({ content: [], trace: ctx.traceContext }),
    });
    const own = { name: "t", _meta: { ...trace, other: 1 } };
    const plain = call(1, revision) as { params: { _meta?: object } };
    wire.receive({ ...plain, params: { ...plain.params, ...own, _meta: { ...plain.params._meta, ...own._meta } } });
    expect((await wire.next()).result).toMatchObject({ trace });
    wire.receive(call(2, revision));
    expect((await wire.next()).result?.["trace"]).toEqual({});
  });

  test("is sent with the input requests of the handler", async () => {
    const { wire } = await serveSession(
      R4,
      {},
      {
        "tools/call": async (_: unknown, ctx: ServerContext) => ({
          content: [],
          ...(await ctx.listRoots("r", { meta: { mine: 1, baggage: "own" } })),
        }),
      },
      { roots: {} },
    );
    wire.receive(request(1, "tools/call", { name: "t", _meta: trace }));
    expect((await wire.next()).params).toEqual({ _meta: { ...trace, mine: 1, baggage: "own" } });
    wire.receive(call(2, R4));
    expect((await wire.next()).params).toEqual({ _meta: { mine: 1, baggage: "own" } });
  });

  test("an input request for a request without it has no metadata", async () => {
    const { wire } = await serveSession(
      R4,
      {},
      { "tools/call": async (_: unknown, ctx: ServerContext) => ({ content: [], ...(await ctx.listRoots("r")) }) },
      { roots: {} },
    );
    wire.receive(call(1, R4));
    expect(await wire.next()).toEqual(request(1, "roots/list"));
  });

  test.each(all)("%s: a client adds the option meta to any request", async (revision) => {
    const { client, wire } = await clientOf(revision);
    abandon(client.request("tools/call", { name: "t", _meta: { own: 1, traceparent: "old" } }, { meta: trace }));
    expect((await wire.next()).params?._meta).toMatchObject({ ...trace, own: 1 });
  });

  test("does not replace the stateless-era metadata of the client", async () => {
    const { client, wire } = await clientOf(R5, { capabilities: { roots: {} } });
    abandon(
      client.request(
        "tools/call",
        { name: "t", _meta: { "io.modelcontextprotocol/protocolVersion": "1999-01-01" } },
        { meta: { "io.modelcontextprotocol/clientCapabilities": { sampling: {} } } },
      ),
    );
    expect((await wire.next()).params?._meta).toEqual({
      "io.modelcontextprotocol/protocolVersion": R5,
      "io.modelcontextprotocol/clientCapabilities": { roots: {} },
      "io.modelcontextprotocol/clientInfo": { name: "client", version: "1.0.0" },
    });
  });
});

test("handlers of a connection take precedence over those of the server, for that connection only", async () => {
  const { server, wire, connection } = await serveSession(R4, {}, { "tools/call": () => ({ content: ["all"] }) });
  const other = new Wire();
  await server.connect(other);
  connection.handle({ "tools/call": () => ({ content: ["one"] }) });
  wire.receive(call(1, R4));
  expect(await wire.next()).toEqual(result(1, { content: ["one"] }));
  other.receive(call(1, R5));
  expect((await other.next()).result).toMatchObject({ content: ["all"] });
});
