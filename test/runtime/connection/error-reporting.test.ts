/** Errors that are dropped without `onerror`, and errors that are printed instead. */
import { Console } from "node:console";
import { Writable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ProtocolError, SdkError } from "../../../runtime/src/jsonrpc/errors.js";
import type { Middleware } from "../../../runtime/src/connection/middleware.js";
import { Client } from "../../../runtime/src/client.js";
import { Server, type ServerOptions } from "../../../runtime/src/server.js";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import { call, clientInfo, clientSide, discovered, initialize, modern, R4, R5, serverInfo } from "./connection-ends.js";
import { error, idle, notification, request, result, Wire } from "./wire.js";

type Handlers = Parameters<Server["handle"]>[0];

/** Collects what is printed from now on. */
function printed(): unknown[][] {
  const spy = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => spy.mockRestore());
  return spy.mock.calls;
}

/** Creates a server without `onerror`, unless the options contain one. */
async function quiet(revision: string, handlers: Handlers, options: ServerOptions = {}) {
  const server = new Server(serverInfo, { capabilities: { tools: {} }, ...options });
  server.handle(handlers);
  const wire = new Wire();
  const connection = await server.connect(wire);
  if (revision !== R5) await initialize(wire, revision, { roots: { listChanged: true }, elicitation: {} });
  return { wire, connection };
}

const failure = new Error("no database");
const fails = () => Promise.reject(failure);
const failsCalls: Middleware<ServerContext> = ({ method }, next) => (method === "tools/call" ? fails() : next());

describe.each([R4, R5])("%s: a server without onerror", (revision) => {
  const rows: readonly [string, Handlers, ServerOptions?][] = [
    ["a handler", { "tools/call": fails }],
    [
      "a handler that throws synchronously",
      {
        "tools/call": () => {
          throw failure;
        },
      },
    ],
    ["middleware", { "tools/call": () => ({ content: [] }) }, { middleware: [failsCalls] }],
  ];
  test.each(rows)("prints the error of %s once and unchanged", async (_, handlers, options) => {
    const lines = printed();
    const { wire } = await quiet(revision, handlers, options);
    lines.length = 0;
    wire.receive(call(1, revision));
    expect((await wire.next()).error).toEqual({ code: -32603, message: "Internal error" });
    expect(lines).toEqual([[failure]]);
    expect(lines[0]?.[0]).toBe(failure);
  });

  test("prints why a result cannot be sent", async () => {
    const lines = printed();
    const { wire } = await quiet(revision, { "tools/call": () => ({ content: [], big: 1n }) });
    wire.receive(call(1, revision));
    expect((await wire.next()).error?.code).toBe(-32603);
    expect(lines).toEqual([[expect.any(TypeError)]]);
  });

  test("prints the error of a notification handler", async () => {
    const lines = printed();
    const { wire } = await quiet(revision, { "notifications/cancelled": fails });
    wire.receive(notification("notifications/cancelled", { ...modern(), requestId: "none" }));
    await idle();
    expect(lines).toEqual([[failure]]);
  });

  test("prints the error of a trace hook", async () => {
    const lines = printed();
    const trace = () => {
      throw failure;
    };
    const { wire } = await quiet(revision, {}, { trace });
    lines.length = 0;
    wire.receive(call(1, revision));
    expect((await wire.next()).error?.code).toBe(-32601);
    expect(lines).toEqual([[failure], [failure]]);
  });

  test("prints SDK errors without their data, which may be untrusted", async () => {
    const lines = printed();
    const secret = { content: { password: "hunter2" } };
    const { wire } = await quiet(revision, {
      "tools/call": () => Promise.reject(new SdkError("INVALID_RESULT", "cannot be used", secret)),
    });
    wire.receive(call(1, revision));
    await wire.next();
    expect(lines).toHaveLength(1);
    const text: string[] = [];
    const stdout = new Writable({ write: (chunk, _, done) => done(void text.push(String(chunk))) });
    new Console({ stdout }).log(...(lines[0] ?? []));
    expect(text.join("")).toMatch(/^SdkError: cannot be used\n/);
    expect(text.join("")).not.toContain("hunter2");
  });

  test("does not print an error that a handler responds with", async () => {
    const lines = printed();
    const { wire } = await quiet(revision, { "tools/call": () => Promise.reject(new ProtocolError(5, "no")) });
    wire.receive(call(1, revision));
    expect((await wire.next()).error).toEqual({ code: 5, message: "no" });
    expect(lines).toEqual([]);
  });

  test("does not print errors of its client", async () => {
    const lines = printed();
    const { wire } = await quiet(revision, { "tools/call": () => ({ content: [] }) });
    wire.receive({ broken: true });
    wire.receive(result(99));
    wire.receive(error(98, -32603));
    wire.receive(request(1, "no/such"));
    wire.receive(request(2, "tools/call", { name: 5 }));
    wire.receive({ jsonrpc: "2.0", method: 5 });
    wire.onerror?.(new ProtocolError(-32700, "Parse error"));
    await idle();
    expect(lines).toEqual([]);
  });

  test("prints nothing with onerror", async () => {
    const lines = printed();
    const told: unknown[] = [];
    const { wire } = await quiet(revision, { "tools/call": fails }, { onerror: (one) => told.push(one) });
    wire.receive(call(1, revision));
    await wire.next();
    expect([lines, told]).toEqual([[], [failure]]);
  });
});

describe("a server without onerror does not print an input request that", () => {
  const asks = (_: unknown, { connection }: ServerContext) => connection.request("roots/list", undefined);
  const rows: readonly [string, (wire: Wire, id: string | number) => void][] = [
    ["the client rejects", (wire, id) => wire.receive(error(id, -32603, "no"))],
    ["gets an invalid result", (wire, id) => wire.receive({ jsonrpc: "2.0", id, result: 5 })],
    ["ends with the connection", (wire) => wire.break()],
  ];
  test.each(rows)("%s", async (_, answer) => {
    const lines = printed();
    const { wire } = await quiet(R4, { "notifications/roots/list_changed": asks, "tools/call": asks });
    wire.receive(notification("notifications/roots/list_changed"));
    wire.receive(call("c", R4));
    const ids = [await wire.next(), await wire.next()].map(({ id = "" }) => id);
    for (const id of ids) answer(wire, id);
    await idle();
    expect(lines).toEqual([]);
  });

  test("a server without onerror prints an input request that is not allowed", async () => {
    const lines = printed();
    const ask = (_: unknown, ctx: ServerContext) => ctx.connection.request("sampling/createMessage", {});
    const { wire } = await quiet(R4, { "tools/call": ask });
    wire.receive(call(1, R4));
    expect((await wire.next()).error?.code).toBe(-32603);
    expect(lines).toEqual([[expect.stringMatching(/^SdkError: sampling\/createMessage was not sent: /)]]);
  });
});

describe("a client without onerror", () => {
  async function connected(revision: string, prepare: (client: Client) => void) {
    const client = new Client(clientInfo, { revisions: [clientSide(revision)], capabilities: { elicitation: {} } });
    prepare(client);
    const wire = new Wire();
    const opened = client.connect(wire);
    const { id = "" } = await wire.next();
    wire.receive(
      result(id, revision === R5 ? discovered([R5]) : { protocolVersion: revision, capabilities: {}, serverInfo }),
    );
    await opened;
    wire.take();
    return wire;
  }

  test("prints the error of an input request handler", async () => {
    const lines = printed();
    const wire = await connected(R4, (client) => client.setRequestHandler("elicitation/create", fails));
    const form = { message: "?", requestedSchema: { type: "object", properties: {} } };
    wire.receive(request(1, "elicitation/create", form));
    expect((await wire.next()).error).toEqual({ code: -32603, message: "Internal error" });
    expect(lines).toEqual([[failure]]);
  });

  test.each([R4, R5])("%s: prints the error of a notification handler", async (revision) => {
    const lines = printed();
    const wire = await connected(revision, (client) => client.setNotificationHandler("notifications/message", fails));
    wire.receive(notification("notifications/message", { level: "info", data: 1 }));
    await idle();
    expect(lines).toEqual([[failure]]);
  });

  test("does not print errors of its server", async () => {
    const lines = printed();
    const wire = await connected(R4, () => undefined);
    wire.receive({ broken: true });
    wire.receive(result(99));
    wire.receive(request(1, "elicitation/create", {}));
    wire.receive(notification("notifications/message", { level: 5 }));
    await idle();
    expect(lines).toEqual([]);
  });
});
