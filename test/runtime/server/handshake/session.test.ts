import { describe, expect, test } from "vitest";
import type { ServerContext } from "../../../../runtime/src/server/contracts.js";
import { sessionKey } from "../../../../runtime/src/server/session-key.js";
import type { NotificationContext } from "../../../../runtime/src/server/server-handlers.js";
import {
  clientInfo,
  handshakeEra,
  initialize,
  modern,
  R1,
  R2,
  R3,
  R4,
  R5,
  serve,
  serverInfo,
  serverSide,
  serveSession,
} from "../../connection/connection-ends.js";
import { error, idle, notification, request, result, Wire } from "../../connection/wire.js";

/** All non-empty subsets. */
function subsets<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: 2 ** items.length - 1 }, (_, bits) =>
    items.filter((_, index) => ((bits + 1) >> index) & 1),
  );
}

const opening = (protocolVersion: string, capabilities: object = {}) => ({ protocolVersion, capabilities, clientInfo });
const label = (revisions: readonly string[]): string => revisions.join("+");

describe("initialize negotiates the version", () => {
  const unknown = ["1.0.0", "2024-10-07", "2026-07-28", "2099-01-01", ""];
  describe.each(subsets(handshakeEra).map((served) => [label(served), served] as const))("of %s", (_, served) => {
    test.each([...handshakeEra, ...unknown])("for %j", async (asked) => {
      const revisions = served.map(serverSide);
      const { wire } = await serve({ revisions });
      const answer = await initialize(wire, asked);
      expect(answer.result?.["protocolVersion"]).toBe(served.includes(asked) ? asked : served.at(-1));

      const strict = await serve({ revisions: [...revisions].reverse(), rejectUnknownVersions: true });
      const refusal = await initialize(strict.wire, asked);
      if (served.includes(asked)) expect(refusal.result?.["protocolVersion"]).toBe(asked);
      else
        expect(refusal.error).toEqual({
          code: -32602,
          message: "Unsupported protocol version",
          data: { supported: [...served].reverse(), requested: asked },
        });
      expect(strict.connection.session?.side.revision).toBe(served.includes(asked) ? asked : undefined);
    });
  });

  test("never negotiates a stateless-era version", async () => {
    const { wire } = await serve();
    expect((await initialize(wire, R5)).result?.["protocolVersion"]).toBe(R4);
  });

  test("allows the client to try again after a rejection", async () => {
    const { wire } = await serve({ rejectUnknownVersions: true });
    expect((await initialize(wire, "1.0.0")).error?.code).toBe(-32602);
    expect((await initialize(wire, R3)).result?.["protocolVersion"]).toBe(R3);
  });

  test("a stateless-era server lists its versions", async () => {
    const { wire } = await serve({ revisions: [serverSide(R5)] });
    expect((await initialize(wire, R4)).error).toEqual({
      code: -32022,
      message: "Unsupported protocol version",
      data: { supported: [R5], requested: R4 },
    });
  });

  test("passes the version to the transport", async () => {
    const { wire } = await serve();
    const told: string[] = [];
    Object.assign(wire, { setProtocolVersion: (version: string) => told.push(version) });
    await initialize(wire, R2);
    expect(told).toEqual([R2]);
  });
});

describe("the response to initialize", () => {
  test.each(handshakeEra)("%s: has exactly the members of the revision", async (revision) => {
    const capabilities = { tools: { listChanged: true }, logging: {}, experimental: { mine: { depth: 1 } } };
    const { wire } = await serve({ capabilities, instructions: "be kind" });
    expect((await initialize(wire, revision)).result).toEqual({
      protocolVersion: revision,
      capabilities,
      serverInfo,
      instructions: "be kind",
    });
  });

  test("omits missing instructions", async () => {
    const { wire } = await serve();
    expect((await initialize(wire, R4)).result).toEqual({
      protocolVersion: R4,
      capabilities: { tools: {} },
      serverInfo,
    });
  });

  test.each<[string, object | undefined]>([
    ["no params", undefined],
    ["no version", { capabilities: {}, clientInfo }],
    ["no capabilities", { protocolVersion: R4, clientInfo }],
    ["no client", { protocolVersion: R4, capabilities: {} }],
    ["a version that is a number", { protocolVersion: 2024, capabilities: {}, clientInfo }],
    ["a client without name", { protocolVersion: R4, capabilities: {}, clientInfo: { version: "1" } }],
  ])("with %s is -32602", async (_, params) => {
    const { wire, connection } = await serve();
    expect(await wire.ask(1, "initialize", params)).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(connection.session).toBeUndefined();
  });

  test.each<[string, object, object]>([
    ["sampling.tools that is true", { sampling: { tools: true } }, {}],
    ["tasks that is true", { tasks: true }, {}],
    ["elicitation that is true", { elicitation: true }, {}],
    ["icons that are a string", {}, { icons: "x.png" }],
  ])("with %s is accepted where the revision does not define it", async (_, capabilities, more) => {
    const params = { protocolVersion: R1, capabilities, clientInfo: { ...clientInfo, ...more } };
    const { wire } = await serve(
      {},
      {
        "tools/call": async (_: unknown, ctx: ServerContext) => ({
          content: [],
          refused: await ctx
            .elicit("q", { message: "?", requestedSchema: { type: "object", properties: {} } })
            .catch((problem: unknown) => (problem as Error).name),
        }),
      },
    );
    expect((await wire.ask(1, "initialize", params)).result?.["protocolVersion"]).toBe(R1);
    expect(await wire.ask(2, "initialize", { ...params, protocolVersion: R4 })).toMatchObject({
      error: { code: -32600 },
    });
    wire.receive(notification("notifications/initialized"));
    expect((await wire.ask(3, "tools/call", { name: "t" })).result?.["refused"]).toBe(
      "MissingRequiredClientCapabilityError",
    );
    // The requested version is not supported: the newest revision validates the params.
    for (const protocolVersion of [R4, "2099-01-01"]) {
      const other = await serve();
      expect(await other.wire.ask(1, "initialize", { ...params, protocolVersion })).toMatchObject({
        error: { code: -32602 },
      });
    }
  });

  test("the first of two concurrent requests opens the session", async () => {
    const { wire, connection } = await serve({ middleware: [async (_, next) => (await idle(), next())] });
    wire.receive(request(1, "initialize", opening(R3)));
    wire.receive(request(2, "initialize", opening(R4)));
    expect((await wire.next()).result?.["protocolVersion"]).toBe(R3);
    expect(await wire.next()).toEqual(error(2, -32600, "Invalid Request: already initialized"));
    expect(connection.session?.side.revision).toBe(R3);
  });

  test("a second request is -32600, and the session stays", async () => {
    const { wire, connection } = await serveSession(R3);
    expect(await wire.ask(1, "initialize", opening(R4))).toEqual(
      error(1, -32600, "Invalid Request: already initialized"),
    );
    expect(connection.session?.side.revision).toBe(R3);
  });

  test("gives handlers the client's info and capabilities", async () => {
    const info = {
      name: "c",
      version: "1",
      title: "C",
      websiteUrl: "https://c.test",
      icons: [{ src: "https://c.test/i" }],
    };
    const capabilities = { roots: { listChanged: true }, experimental: { x: { y: 1 } }, sampling: {}, unheardOf: {} };
    const { wire, connection } = await serve(
      {},
      {
        "tools/call": (_: unknown, { client, session }: ServerContext) => ({
          content: [],
          info: client.info,
          capabilities: client.capabilities,
          same: client === session,
        }),
      },
    );
    await wire.ask(1, "initialize", { protocolVersion: R4, capabilities, clientInfo: info });
    wire.receive(notification("notifications/initialized"));
    expect(await wire.ask(2, "tools/call", { name: "t" })).toEqual(
      result(2, { content: [], info, capabilities, same: true }),
    );
    expect(connection.session?.info).toEqual(info);
  });
});

describe("before initialize", () => {
  test.each(["tools/list", "tools/call", "logging/setLevel", "resources/subscribe", "server/discover", "no/such"])(
    "%s is rejected, with the ways to open a session",
    async (method) => {
      const { wire } = await serve({ capabilities: { tools: {}, logging: {}, resources: { subscribe: true } } });
      const answer = await wire.ask(1, method, {});
      expect(answer).toMatchObject({ id: 1, error: { code: -32602, data: { supported: [R5, R4, R3, R2, R1] } } });
      expect(answer.error?.message).toContain("initialize");
      expect(answer.error?.message).toContain("io.modelcontextprotocol/protocolVersion");
    },
  );

  test("a handshake-era server names only initialize", async () => {
    const { wire } = await serve({ revisions: [serverSide(R1)] });
    const { error: refusal } = await wire.ask(1, "tools/list", modern());
    expect(refusal).toMatchObject({ code: -32602, data: { supported: [R1] } });
    expect(refusal?.message).not.toContain("io.modelcontextprotocol");
  });

  test("runs no handlers, ignores notifications and sends none", async () => {
    const ran: string[] = [];
    const { server, wire, connection } = await serve(
      { capabilities: { tools: { listChanged: true } } },
      { "tools/call": () => ran.push("call"), "notifications/roots/list_changed": () => ran.push("roots") },
    );
    wire.receive(notification("notifications/initialized"));
    wire.receive(notification("notifications/roots/list_changed"));
    await wire.ask(1, "tools/call", { name: "t" });
    server.notifyChanged({ kind: "tools" });
    expect(await wire.rest()).toEqual([]);
    expect(ran).toEqual([]);
    await wire.ask(2, "initialize", opening(R4));
    // An early `initialized` is ignored.
    expect(connection.session?.initialized).toBe(false);
    server.notifyChanged({ kind: "tools" });
    expect(await wire.rest()).toEqual([]);
    wire.receive(notification("notifications/initialized"));
    server.notifyChanged({ kind: "tools" });
    expect(await wire.rest()).toEqual([notification("notifications/tools/list_changed")]);
  });
});

describe("resources: each combination of sub-capabilities", () => {
  const updated = notification("notifications/resources/updated", { uri: "file:///a" });
  const changed = notification("notifications/resources/list_changed");
  describe.each(handshakeEra)("%s", (revision) => {
    test.each<[object, boolean, object[]]>([
      [{}, false, []],
      [{ subscribe: true }, true, [updated]],
      [{ listChanged: true }, false, [changed]],
      [{ subscribe: true, listChanged: true }, true, [changed, updated]],
      [{ subscribe: false, listChanged: false }, false, []],
    ])("%j", async (resources, subscribes, told) => {
      const { server, wire } = await serveSession(revision, { capabilities: { resources } });
      const answer = await wire.ask(1, "resources/subscribe", { uri: "file:///a" });
      if (subscribes) expect(answer).toEqual(result(1));
      else expect(answer).toMatchObject({ error: { code: -32601 } });
      server.notifyChanged({ kind: "resources" });
      server.notifyChanged({ kind: "resources", uri: "file:///a" });
      expect(await wire.rest()).toEqual(told);
    });
  });

  test.each([
    ["tools", "notifications/tools/list_changed"],
    ["prompts", "notifications/prompts/list_changed"],
  ] as const)("notifies of a change of the %s only where that is declared", async (kind, method) => {
    for (const [declared, told] of [
      [{}, []],
      [{ listChanged: true }, [notification(method)]],
    ] as const) {
      const { server, wire } = await serveSession(R4, { capabilities: { [kind]: declared } });
      server.notifyChanged({ kind });
      server.notifyChanged({ kind });
      expect(await wire.rest()).toEqual(told);
    }
  });
});

test("does not use capabilities in a session that were declared later", async () => {
  const { server, wire } = await serveSession(R4, { capabilities: {} });
  server.registerCapabilities({ tools: { listChanged: true }, logging: {} });
  const log = (_: unknown, ctx: ServerContext) => (ctx.log("error", "x"), { content: [] });
  server.handle({ "tools/call": log });
  const later = new Wire();
  await server.connect(later);
  await initialize(later, R4);
  server.notifyChanged({ kind: "tools" });
  expect([await wire.rest(), await later.rest()]).toEqual([[], [notification("notifications/tools/list_changed")]]);
  expect(await wire.ask(1, "tools/call", { name: "t" })).toEqual(result(1, { content: [] }));
  expect(await later.ask(1, "tools/call", { name: "t" })).toMatchObject({ method: "notifications/message" });
});

describe("subscriptions", () => {
  const capabilities = { resources: { subscribe: true } };
  const uriOf = ({ params }: { params?: Readonly<Record<string, unknown>> }) => params?.["uri"];

  test("last from subscribe to unsubscribe, for this client only", async () => {
    const { server, wire } = await serveSession(R4, { capabilities });
    const other = new Wire();
    await server.connect(other);
    await initialize(other, R4);
    const change = async (uri: string) => {
      server.notifyChanged({ kind: "resources", uri });
      return (await wire.rest()).map(uriOf);
    };
    expect(await change("file:///main.rs")).toEqual([]);
    await wire.ask(1, "resources/subscribe", { uri: "file:///main.rs" });
    expect(await change("file:///main.rs")).toEqual(["file:///main.rs"]);
    expect(await change("file:///other.rs")).toEqual([]);
    expect(await change("file:///main.rs/below")).toEqual(["file:///main.rs/below"]);
    expect(await change("file:///main.rs2")).toEqual([]);
    await wire.ask(2, "resources/subscribe", { uri: "file:///main.rs" });
    expect(await wire.ask(3, "resources/unsubscribe", { uri: "file:///main.rs" })).toEqual(result(3));
    expect(await change("file:///main.rs")).toEqual([]);
    expect(await wire.ask(4, "resources/unsubscribe", { uri: "file:///never" })).toEqual(result(4));
    expect(await other.rest()).toEqual([]);
  });

  test("have a limit", async () => {
    const { wire } = await serveSession(R4, { capabilities, limits: { subscriptions: 2 } });
    for (const [id, uri, ok] of [
      [1, "a:1", true],
      [2, "a:2", true],
      [3, "a:3", false],
    ] as const)
      expect((await wire.ask(id, "resources/subscribe", { uri })).error?.code).toBe(ok ? undefined : -32603);
    await wire.ask(4, "resources/unsubscribe", { uri: "a:1" });
    expect(await wire.ask(5, "resources/subscribe", { uri: "a:3" })).toEqual(result(5));
  });

  test("count a repeated URI once", async () => {
    const { wire } = await serveSession(R4, { capabilities, limits: { subscriptions: 1 } });
    expect(await wire.ask(1, "resources/subscribe", { uri: "a:1" })).toEqual(result(1));
    expect(await wire.ask(2, "resources/subscribe", { uri: "a:1" })).toEqual(result(2));
  });
});

describe("logging", () => {
  const order = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
  const capabilities = { tools: {}, logging: {} };
  const logAll = {
    "tools/call": (_: unknown, ctx: ServerContext) => {
      for (const level of order) ctx.log(level, { level }, "db");
      return { content: [] };
    },
  };

  async function levels(wire: Wire, id: number): Promise<unknown[]> {
    wire.receive(request(id, "tools/call", { name: "t" }));
    return (await wire.rest()).flatMap(({ method, params }) => (method ? [params?.["level"]] : []));
  }

  test.each(handshakeEra)("%s: starts with level info, until the client sets its level", async (revision) => {
    const { wire } = await serveSession(revision, { capabilities }, logAll);
    expect(await levels(wire, 1)).toEqual(order.slice(1));
    for (const [index, level] of order.entries()) {
      expect(await wire.ask("s", "logging/setLevel", { level })).toEqual(result("s"));
      expect(await levels(wire, index)).toEqual(order.slice(index));
    }
  });

  test("starts with the level of the option", async () => {
    const { wire } = await serveSession(R4, { capabilities, logLevel: "alert" }, logAll);
    expect(await levels(wire, 1)).toEqual(["alert", "emergency"]);
  });

  test("uses a level per session", async () => {
    const { server, wire } = await serveSession(R4, { capabilities }, logAll);
    const other = new Wire();
    await server.connect(other);
    await initialize(other, R1);
    await wire.ask(1, "logging/setLevel", { level: "emergency" });
    expect(await levels(other, 1)).toEqual(order.slice(1));
    expect(await levels(wire, 2)).toEqual(["emergency"]);
  });

  test("sends level, logger and data with its request", async () => {
    const { wire } = await serveSession(
      R4,
      { capabilities },
      {
        "tools/call": (_: unknown, ctx: ServerContext) => {
          ctx.log("error", ["x", { y: null }], "db");
          ctx.log("error", "plain");
          ctx.log("error", undefined);
          return { content: [] };
        },
      },
    );
    wire.receive(request("r", "tools/call", { name: "t" }));
    expect(wire.beside).toEqual(Array(4).fill({ relatedRequestId: "r" }));
    expect(wire.take().slice(0, 3)).toEqual([
      notification("notifications/message", { level: "error", data: ["x", { y: null }], logger: "db" }),
      notification("notifications/message", { level: "error", data: "plain" }),
      notification("notifications/message", { level: "error", data: null }),
    ]);
  });

  test.each(["loud", "INFO", "", 3, null, undefined])("the level %j is -32602", async (level) => {
    const { wire } = await serveSession(R4, { capabilities });
    expect(await wire.ask(1, "logging/setLevel", { level })).toMatchObject({ error: { code: -32602 } });
  });

  test("sends nothing without the capability, and reports the error", async () => {
    const { wire, errors } = await serveSession(R4, {}, logAll);
    expect(await wire.ask(1, "tools/call", { name: "t" })).toEqual(error(1, -32603, "Internal error"));
    expect(errors).toMatchObject([{ code: "CAPABILITY_NOT_SUPPORTED" }]);
    expect(await wire.ask(2, "logging/setLevel", { level: "info" })).toMatchObject({ error: { code: -32601 } });
  });

  test("reports data that cannot be serialized", async () => {
    const { wire, errors } = await serveSession(
      R4,
      { capabilities },
      {
        "tools/call": (_: unknown, ctx: ServerContext) => {
          ctx.log("error", 1n);
          return { content: [] };
        },
      },
    );
    expect(await wire.ask(1, "tools/call", { name: "t" })).toEqual(result(1, { content: [] }));
    await idle();
    expect(errors).toMatchObject([{ name: "TypeError" }]);
  });
});

describe("a client's notifications", () => {
  test("are passed to handlers, with the session", async () => {
    const heard: unknown[] = [];
    const { wire, connection, errors } = await serveSession(
      R4,
      {},
      {
        "notifications/roots/list_changed": (params: unknown, ctx: NotificationContext) =>
          heard.push([params, ctx.session]),
      },
    );
    wire.receive(notification("notifications/roots/list_changed"));
    wire.receive(notification("notifications/roots/list_changed", { _meta: { a: 1 } }));
    wire.receive(notification("notifications/roots/list_changed", { _meta: 1 }));
    await idle();
    expect(heard).toEqual([
      [{}, connection.session],
      [{ _meta: { a: 1 } }, connection.session],
    ]);
    expect(errors).toMatchObject([{ code: -32602 }]);
  });

  test("may lead to an input request", async () => {
    const seen: unknown[] = [];
    const { wire } = await serveSession(
      R4,
      {},
      {
        "notifications/roots/list_changed": async (_: unknown, ctx: NotificationContext) =>
          seen.push(await ctx.connection.request("roots/list", undefined)),
      },
      { roots: { listChanged: true } },
    );
    wire.receive(notification("notifications/roots/list_changed"));
    const { id = "" } = await wire.next();
    wire.receive(result(id, { roots: [] }));
    await idle();
    expect(seen).toEqual([{ roots: [] }]);
  });

  test("report a failing handler", async () => {
    const { wire, errors } = await serveSession(
      R4,
      {},
      {
        "notifications/roots/list_changed": () => {
          throw new Error("sync");
        },
        "notifications/initialized": () => Promise.reject(new Error("async")),
      },
    );
    wire.receive(notification("notifications/roots/list_changed"));
    expect(await wire.rest()).toEqual([]);
    expect(errors.map(({ message }) => message).sort()).toEqual(["async", "sync"]);
  });
});

test("keeps versions, clients and stores of two sessions apart", async () => {
  const key = sessionKey<string>("name");
  const { server, wire: a } = await serve(
    {},
    {
      "tools/call": async ({ name }: { name: string }, { session }: ServerContext) => {
        const before = await session?.store.get(key);
        await session?.store.set(key, name);
        return { content: [], before, revision: session?.side.revision };
      },
    },
  );
  const b = new Wire();
  await server.connect(b);
  await initialize(a, R1);
  await initialize(b, R4);
  const said = async (wire: Wire, name: string) => (await wire.ask(1, "tools/call", { name })).result;
  expect(await said(a, "x")).toEqual({ content: [], revision: R1 });
  expect(await said(b, "y")).toEqual({ content: [], revision: R4 });
  expect(await said(a, "z")).toEqual({ content: [], revision: R1, before: "x" });
});

test("serves both eras on one connection: a request that names its version has no session", async () => {
  const { wire } = await serveSession(
    R3,
    {},
    {
      "tools/call": (_: unknown, { client, session }: ServerContext) => ({
        content: [],
        revision: client.side.revision,
        session: session !== undefined,
      }),
    },
  );
  expect((await wire.ask(1, "tools/call", { name: "t" })).result).toMatchObject({ revision: R3, session: true });
  expect((await wire.ask(2, "tools/call", modern({ name: "t" }))).result).toMatchObject({
    revision: R5,
    session: false,
  });
  expect((await wire.ask(3, "tools/call", { name: "t" })).result).toMatchObject({ revision: R3, session: true });
});

describe("shutdown", () => {
  function slow() {
    const finishes: ((body: object) => void)[] = [];
    return { finishes, handlers: { "tools/call": () => new Promise((resolve) => finishes.push(resolve)) } };
  }

  test("lets running handlers finish, rejects new requests, and then closes", async () => {
    const { finishes, handlers } = slow();
    const { wire, server, connection } = await serveSession(R4, {}, handlers);
    wire.receive(request(1, "tools/call", { name: "t" }));
    wire.receive(request(2, "tools/call", { name: "t" }));
    const closed = server.close();
    expect(await wire.ask(3, "ping")).toMatchObject({ id: 3, error: { code: -32603 } });
    finishes[0]?.({ content: [] });
    expect(await wire.next()).toEqual(result(1, { content: [] }));
    expect(wire.isClosed).toBe(false);
    finishes[1]?.({ content: [] });
    await closed;
    expect(wire.take()).toEqual([result(2, { content: [] })]);
    expect([wire.isClosed, connection.isOpen, server.connections.size]).toEqual([true, false, 0]);
  });

  test("does not wait for a handler that fails or is cancelled", async () => {
    const { wire, server } = await serveSession(R4, {}, { "tools/call": () => new Promise(() => undefined) });
    wire.receive(request(1, "tools/call", { name: "t" }));
    const closed = server.close();
    wire.receive(notification("notifications/cancelled", { requestId: 1 }));
    await closed;
    expect(wire.isClosed).toBe(true);
  });

  test("waits at most graceMs, and aborts the rest", async () => {
    const reasons: unknown[] = [];
    const { wire, connection } = await serveSession(
      R4,
      {},
      {
        "tools/call": (_: unknown, { signal }: ServerContext) =>
          new Promise(() => signal.addEventListener("abort", () => reasons.push(signal.reason))),
      },
    );
    wire.receive(request(1, "tools/call", { name: "t" }));
    await connection.shutdown(5);
    expect(wire.isClosed).toBe(true);
    expect(reasons).toMatchObject([{ code: "CONNECTION_CLOSED" }]);
    expect(wire.take()).toEqual([]);
  });

  test("lets running handlers finish at the end of the input", async () => {
    const { finishes, handlers } = slow();
    const { wire } = await serveSession(R4, {}, handlers);
    wire.receive(request(1, "tools/call", { name: "t" }));
    wire.onend?.();
    finishes[0]?.({ content: [] });
    expect(await wire.next()).toEqual(result(1, { content: [] }));
    await idle();
    expect(wire.isClosed).toBe(true);
  });

  test("can be called twice", async () => {
    const { wire, connection, server } = await serveSession(R4);
    await Promise.all([server.close(), connection.shutdown(), connection.close(), server.close()]);
    expect(wire.isClosed).toBe(true);
    await server.close();
  });
});
