import * as client1 from "@mcpwright/protocol/2024-11-05/client";
import * as client2 from "@mcpwright/protocol/2025-03-26/client";
import * as client3 from "@mcpwright/protocol/2025-06-18/client";
import * as client4 from "@mcpwright/protocol/2025-11-25/client";
import * as client5 from "@mcpwright/protocol/2026-07-28/client";
import * as server1 from "@mcpwright/protocol/2024-11-05/server";
import * as server2 from "@mcpwright/protocol/2025-03-26/server";
import * as server3 from "@mcpwright/protocol/2025-06-18/server";
import * as server4 from "@mcpwright/protocol/2025-11-25/server";
import * as server5 from "@mcpwright/protocol/2026-07-28/server";
import type { Connection, HandlerContext } from "@mcpwright/protocol/contract";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { describe, expect, expectTypeOf, test } from "vitest";
import { ProtocolError, type SdkError } from "../../../runtime/src/index.js";
import { Server } from "../../../runtime/src/server.js";
import { Server as CoreServer } from "../../../runtime/src/server/core.js";
import { connect, errorOf, eras, info, methods, type Revision, revisions, settled, text, thrown } from "./pair.js";

const capabilities = { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, completions: {} };
const inputSchema = { type: "object" } as const;
const hints = { ttlMs: 0, cacheScope: "private", resultType: "complete" } as const;

const tools = Array.from({ length: 5 }, (_, index) => ({ name: `tool${index}`, inputSchema }));

/** Two tools on a page. */
function page({ cursor = "0" }: { cursor?: string } = {}) {
  const start = Number(cursor);
  const next = start + 2 < tools.length ? { nextCursor: String(start + 2) } : {};
  return { tools: tools.slice(start, start + 2), ...next };
}

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("stubs of a revision over both ends of a connection", () => {
  /** The same conversation, once per revision, because each revision has its own types. */
  const rows: readonly [Revision, (connection: Connection) => void, (connection: Connection) => Promise<unknown>][] = [
    [
      "2024-11-05",
      (connection) =>
        server1.handleServer(connection, {
          "tools/list": (params) => page(params),
          "tools/call": ({ name, arguments: args }) => ({ ...text(`${name} ${JSON.stringify(args)}`), isError: false }),
        }),
      async (connection) => [
        await collected(client1.listAllTools(connection)),
        await client1.callTool(connection, { name: "x", arguments: { a: 1 } }),
        await client1.ping(connection),
      ],
    ],
    [
      "2025-03-26",
      (connection) =>
        server2.handleServer(connection, {
          "tools/list": (params) => page(params),
          "tools/call": ({ name, arguments: args }) => ({ ...text(`${name} ${JSON.stringify(args)}`), isError: false }),
        }),
      async (connection) => [
        await collected(client2.listAllTools(connection)),
        await client2.callTool(connection, { name: "x", arguments: { a: 1 } }),
        await client2.ping(connection),
      ],
    ],
    [
      "2025-06-18",
      (connection) =>
        server3.handleServer(connection, {
          "tools/list": (params) => page(params),
          "tools/call": ({ name, arguments: args }) => ({ ...text(`${name} ${JSON.stringify(args)}`), isError: false }),
        }),
      async (connection) => [
        await collected(client3.listAllTools(connection)),
        await client3.callTool(connection, { name: "x", arguments: { a: 1 } }),
        await client3.ping(connection),
      ],
    ],
    [
      "2025-11-25",
      (connection) =>
        server4.handleServer(connection, {
          "tools/list": (params) => page(params),
          "tools/call": ({ name, arguments: args }) => ({ ...text(`${name} ${JSON.stringify(args)}`), isError: false }),
        }),
      async (connection) => [
        await collected(client4.listAllTools(connection)),
        await client4.callTool(connection, { name: "x", arguments: { a: 1 } }),
        await client4.ping(connection),
      ],
    ],
    [
      "2026-07-28",
      (connection) =>
        server5.handleServer(connection, {
          "tools/list": (params) => ({ ...page(params), ...hints }),
          "tools/call": ({ name, arguments: args }) => ({
            ...text(`${name} ${JSON.stringify(args)}`),
            isError: false,
            resultType: "complete",
          }),
        }),
      async (connection) => [
        await collected(client5.listAllTools(connection)),
        await client5.callTool(connection, { name: "x", arguments: { a: 1 } }),
        await client5.discover(connection).then(({ capabilities: { tools: offered } }) => offered && {}),
      ],
    ],
  ];
  test.each(rows)("%s", async (revision, serve, talk) => {
    const server = new Server(info, { capabilities });
    const { client, connection, wire } = await connect(server, revision);
    serve(connection);
    expect(await talk(client.connection)).toEqual([
      tools,
      expect.objectContaining({ ...text('x {"a":1}'), isError: false }),
      {},
    ]);
    expect(methods(wire, "out").filter((method) => method === "tools/list")).toHaveLength(3);
  });
});

test("one server serves every revision, with one map of handlers", async () => {
  const server = new Server(info, { capabilities });
  const seen: (string | undefined)[] = [];
  server.handle({
    "tools/list": page,
    "prompts/get": () => ({ messages: [] }),
    "tools/call": ({ name }: { name: string }) => {
      seen.push(name);
      return text(name);
    },
  });
  for (const revision of revisions) {
    const { client } = await connect(server, revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(await client.callTool({ name: revision })).toMatchObject(text(revision));
    expect((await client.listTools()).tools).toEqual(tools);
    expect((await client.getPrompt({ name: "p" })).messages).toEqual([]);
  }
  expect(seen).toEqual(revisions);
});

describe("low-level server", () => {
  test("handlers need their declared capability", () => {
    const server = new Server(info, { capabilities: { tools: {} } });
    const error = thrown(() => server.handle({ "prompts/list": () => ({ prompts: [] }) }));
    expect(error).toMatchObject({ code: "CAPABILITY_NOT_SUPPORTED" });
    expect(error.message).toContain("server.prompts");
  });

  test.each(revisions)("%s: methods without handler or capability do not exist", async (revision) => {
    const { client } = await connect(new Server(info, { capabilities: { tools: {} } }), revision, {
      maxTotalMs: 5_000,
    });
    expect(await errorOf(client.listTools())).toMatchObject({ name: "RemoteError", code: -32601 });
  });

  test("handlers of one connection take precedence over those of the server, and stay local", async () => {
    const server = new Server(info, { capabilities });
    server.handle({ "tools/call": () => text("all"), "tools/list": page });
    const one = await connect(server, "2025-11-25");
    const other = await connect(server, "2025-11-25");
    one.connection.handle({ "tools/call": () => text("one") });
    expect(await one.client.callTool({ name: "x" })).toMatchObject(text("one"));
    expect(await other.client.callTool({ name: "x" })).toMatchObject(text("all"));
    expect((await one.client.listTools()).tools).toHaveLength(5);
  });

  test("notification handlers get a signal that aborts at the end, on both sides", async () => {
    const ends: unknown[] = [];
    const hear = (_params: unknown, { signal }: HandlerContext) =>
      signal.addEventListener("abort", () => ends.push((signal.reason as SdkError).code));
    const server = new Server(info, { capabilities: { logging: {} } });
    server.handle({ "notifications/roots/list_changed": hear });
    const { client, connection } = await connect(server, "2025-11-25");
    client.connection.handle({ "notifications/message": hear });
    await client.connection.notify("notifications/roots/list_changed");
    await connection.notify("notifications/message", { level: "info", data: 1 });
    await settled();
    expect(ends).toEqual([]);
    await client.close();
    await settled();
    expect(ends).toEqual(["CONNECTION_CLOSED", "CONNECTION_CLOSED"]);
  });

  test.each(eras)("%s: the context identifies the client", async (revision) => {
    const server = new Server(info, { capabilities });
    server.handle({
      "tools/call": (_params, { client: { side, capabilities: declared, info: who } }) =>
        text(JSON.stringify([side.revision, declared, who])),
    });
    const { client } = await connect(server, revision, { capabilities: { elicitation: {} } });
    const told = JSON.stringify([revision, { elicitation: {} }, info]);
    expect(await client.callTool({ name: "x" })).toMatchObject(text(told));
  });

  test.each(eras)("%s: a protocol error of a handler is the response, other errors are not sent", async (revision) => {
    const reported: Error[] = [];
    const server = new Server(info, { capabilities, onerror: (error) => reported.push(error) });
    server.handle({
      "prompts/get": ({ name }: { name: string }) => {
        throw name === "typed" ? new ProtocolError(4050, "typed", { why: 1 }) : new Error("secret path /etc");
      },
    });
    const { client } = await connect(server, revision);
    expect(await errorOf(client.getPrompt({ name: "typed" }))).toMatchObject({
      code: 4050,
      message: "typed",
      data: { why: 1 },
    });
    const untyped = await errorOf(client.getPrompt({ name: "untyped" }));
    expect(untyped).toMatchObject({ code: -32603, message: "Internal error", data: undefined });
    expect(reported.map(({ message }) => message)).toEqual(["secret path /etc"]);
  });

  test("a stub sends notifications from the server", async () => {
    const server = new Server(info, { capabilities });
    const { client, connection } = await connect(server, "2025-11-25");
    let heard = 0;
    client.onChanged("tools", () => heard++);
    await server4.notifyToolListChanged(connection);
    await settled();
    expect(heard).toBe(1);
  });

  test("a stub iterates the stream of 2026-07-28", async () => {
    const server = new Server(info, { capabilities });
    const { client } = await connect(server, "2026-07-28");
    const stream = client5.subscriptionsListen(client.connection, {
      notifications: { toolsListChanged: true, promptsListChanged: true },
    });
    expect(await stream.acknowledged).toMatchObject({ notifications: { toolsListChanged: true } });
    expect(await stream.acknowledged).not.toHaveProperty("notifications.promptsListChanged");
    server.notifyChanged({ kind: "tools" });
    for await (const event of stream) {
      expect(event.method).toBe("notifications/tools/list_changed");
      break;
    }
    await expect(stream.result).rejects.toMatchObject({ code: "REQUEST_CANCELLED" });
  });
});

describe("revisions as an option", () => {
  const side = (revision: Revision) => serverSides.filter((one) => one.revision === revision);
  test("a core server serves its revisions and lists them", async () => {
    const server = new CoreServer(info, { revisions: side("2025-06-18"), capabilities });
    server.handle({ "tools/list": page });
    const { client } = await connect(server, ["2025-11-25", "2025-06-18"]);
    expect(client.getNegotiatedProtocolVersion()).toBe("2025-06-18");
    expect(await errorOf(connect(server, "2025-03-26"))).toMatchObject({
      code: "NO_COMMON_REVISION",
      data: { ours: ["2025-03-26"], theirs: ["2025-06-18"] },
    });
  });

  test.each([
    ["none", [], "at least one"],
    ["the client's side", [{ ...side("2025-06-18")[0], role: "client" }], "pass the serverSide"],
    ["one twice", [...side("2025-06-18"), ...side("2025-06-18")], "pass each revision once"],
  ])("rejects %s", (_name, given, why) => {
    const error = thrown(() => new CoreServer(info, { revisions: given as never }));
    expect(error).toMatchObject({ code: "INVALID_CONFIGURATION" });
    expect(error.message).toContain(why);
  });
});

test("a client's map of handlers handles requests of servers", async () => {
  const server = new Server(info, { capabilities });
  const { client, connection } = await connect(server, "2025-11-25", { capabilities: { roots: {} } });
  const changed: string[] = [];
  client4.handleClient(client.connection, {
    "roots/list": () => ({ roots: [{ uri: "file:///stub" }] }),
    "notifications/resources/updated": ({ uri }) => void changed.push(uri),
  });
  expect(await server4.listRoots(connection)).toEqual({ roots: [{ uri: "file:///stub" }] });
  await server4.notifyResourceUpdated(connection, { uri: "test:r" });
  await settled();
  expect(changed).toEqual(["test:r"]);
  const refused = server4.createMessage(connection, { messages: [], maxTokens: 1 });
  expect(await errorOf(refused)).toMatchObject({ code: "CAPABILITY_NOT_SUPPORTED" });
});

test("stubs accept a connection of the runtime", () => {
  expectTypeOf<Awaited<ReturnType<Server["connect"]>>>().toExtend<Connection>();
});
