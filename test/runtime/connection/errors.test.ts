import { describe, expect, test } from "vitest";
import {
  ProtocolError,
  ResourceNotFoundError,
  UnsupportedProtocolVersionError,
} from "../../../runtime/src/jsonrpc/errors.js";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import {
  all,
  call,
  clientOf,
  handshakeEra,
  modern,
  openOf,
  R1,
  R2,
  R3,
  R4,
  R5,
  serve,
  serveEither,
  serverSide,
  serveSession,
} from "./connection-ends.js";
import { error, idle, notification, rejected, request, result } from "./wire.js";

const params = (revision: string, own: object = {}): object => (revision === R5 ? modern(own) : own);

describe.each(all)("a server of %s rejects", (revision) => {
  const rows: readonly [string, object, number, string][] = [
    ["an unknown method", request(1, "no/such", params(revision)), -32601, "Method not found: no/such"],
    ["a method of the client", request(1, "sampling/createMessage", params(revision)), -32601, "Method not found"],
    ["a notification's method", request(1, "notifications/progress", params(revision)), -32601, "Method not found"],
    ["a method of an undeclared feature", request(1, "prompts/list", params(revision)), -32601, "Method not found"],
    ["a method without handler", request(1, "tools/list", params(revision)), -32601, "Method not found"],
    ["a name of Object.prototype", request(1, "constructor", params(revision)), -32601, "Method not found"],
    ["the name __proto__", request(1, "__proto__", params(revision)), -32601, "Method not found"],
    ["params of the wrong type", request(1, "tools/call", params(revision, { name: 7 })), -32602, "Invalid params"],
    ["a required member missing", request(1, "tools/call", params(revision)), -32602, "Invalid params"],
    ["params that are an array", { ...request(1, "tools/call"), params: [1] }, -32600, "params must be an object"],
    ["params that are null", { ...request(1, "tools/call"), params: null }, -32600, "params must be an object"],
    ["a method that is a number", { jsonrpc: "2.0", id: 1, method: 5 }, -32600, "method must be a string"],
    ["a method that is null", { jsonrpc: "2.0", id: 1, method: null }, -32600, "method must be a string"],
    ["another JSON-RPC version", { jsonrpc: "1.0", id: 1, method: "ping" }, -32600, '"jsonrpc" must be "2.0"'],
    ["no JSON-RPC version", { id: 1, method: "ping" }, -32600, '"jsonrpc" must be "2.0"'],
  ];
  test.each(rows)("%s", async (_, message, code, text) => {
    const { wire } = await serveEither(revision, { "tools/call": () => ({ content: [] }) });
    wire.receive(message);
    const answer = await wire.next();
    expect(answer).toMatchObject({ jsonrpc: "2.0", id: 1, error: { code } });
    expect(answer.error?.message).toContain(text);
    expect(Object.keys(answer).sort()).toEqual(["error", "id", "jsonrpc"]);
  });

  const thrown: readonly [string, () => unknown, object][] = [
    [
      "an Error, whose message is not sent",
      () => {
        throw new Error("password=hunter2");
      },
      { code: -32603, message: "Internal error" },
    ],
    ["a rejection", () => Promise.reject(new Error("/etc/secret")), { code: -32603, message: "Internal error" }],
    ["a value that is not an error", () => rejected("text"), { code: -32603, message: "Internal error" }],
    ["nothing", () => rejected(undefined), { code: -32603, message: "Internal error" }],
    [
      "a ProtocolError, which is the response",
      () => {
        throw new ProtocolError(-32099, "busy", { after: 5 });
      },
      revision === R5 ? { code: -32603, message: "busy" } : { code: -32099, message: "busy", data: { after: 5 } },
    ],
    [
      "a code that the revision defines",
      () => Promise.reject(new ProtocolError(-32021, "no", {})),
      { code: -32021, message: "no", data: {} },
    ],
    [
      "a code that is not reserved",
      () => Promise.reject(new ProtocolError(-32000, "x")),
      { code: -32000, message: "x" },
    ],
    [
      "the code of older revisions for a required URL",
      () => Promise.reject(new ProtocolError(-32042, "go", { elicitations: [] })),
      revision === R5 ? { code: -32603, message: "go" } : { code: -32042, message: "go", data: { elicitations: [] } },
    ],
    [
      "the code of older revisions for an unknown resource",
      () => Promise.reject(new ProtocolError(-32002, "gone", { uri: "a:b" })),
      { code: revision === R5 ? -32602 : -32002, message: "gone", data: { uri: "a:b" } },
    ],
    ["one without data", () => Promise.reject(new ProtocolError(-1, "no")), { code: -1, message: "no" }],
    [
      "a ResourceNotFoundError",
      () => Promise.reject(new ResourceNotFoundError("file:///x")),
      { code: revision === R5 ? -32602 : -32002, message: "Resource not found", data: { uri: "file:///x" } },
    ],
    ["an invalid result: undefined", () => undefined, { code: -32603, message: "Internal error" }],
    ["an invalid result: null", () => null, { code: -32603, message: "Internal error" }],
    ["an invalid result: a string", () => "x", { code: -32603, message: "Internal error" }],
    ["an invalid result: an array", () => Promise.resolve([]), { code: -32603, message: "Internal error" }],
  ];
  test.each(thrown)("responds to a handler that ends with %s", async (_, handler, answer) => {
    const { wire, connection } = await serveEither(revision, { "tools/call": handler });
    wire.receive(call(1, revision));
    expect(await wire.next()).toEqual({ jsonrpc: "2.0", id: 1, error: answer });
    expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
  });

  test("reports the error of a handler to onerror only", async () => {
    const secret = new Error("password=hunter2");
    const { wire, errors } = await serveEither(revision, { "tools/call": () => Promise.reject(secret) });
    wire.receive(call(1, revision));
    expect(JSON.stringify(await wire.next())).not.toContain("hunter2");
    expect(errors).toEqual([secret]);
  });

  test("reports a reserved error code to onerror", async () => {
    const refuse = () => Promise.reject(new ProtocolError(-32050, "busy", 1));
    const { wire, errors } = await serveEither(revision, { "tools/call": refuse });
    wire.receive(call(1, revision));
    await wire.next();
    expect(errors).toMatchObject(revision === R5 ? [{ code: "INVALID_CONFIGURATION", data: { code: -32050 } }] : []);
  });

  test("adds the URI of a resource that is not found", async () => {
    const gone = () => Promise.reject(new ProtocolError(-32002, "gone"));
    const { wire } = await serveEither(revision, { "resources/read": gone }, { capabilities: { resources: {} } });
    expect((await wire.ask(1, "resources/read", params(revision, { uri: "a:b" }))).error?.data).toEqual({ uri: "a:b" });
  });

  test("never responds to notifications", async () => {
    const heard: unknown[] = [];
    const { wire } = await serveEither(revision, {
      "notifications/cancelled": () => {
        heard.push("cancelled");
        throw new Error("handler failed");
      },
    });
    const meta = params(revision);
    for (const one of [
      notification("no/such", meta),
      notification("tools/call", meta),
      notification("notifications/cancelled", { ...meta, requestId: 9 }),
      notification("notifications/cancelled", { ...meta, requestId: {} }),
      { jsonrpc: "2.0", method: "notifications/progress", params: [] },
      { jsonrpc: "2.0", method: 5 },
    ])
      wire.receive(one);
    expect(await wire.rest()).toEqual([]);
    expect(heard).toEqual(["cancelled"]);
  });

  test("rejects a request beyond the limit with a retry message", async () => {
    const { wire } = await serveEither(
      revision,
      { "tools/call": () => new Promise(() => undefined) },
      { limits: { requestsInFlight: 2 } },
    );
    for (const id of [1, 2, 3]) wire.receive(call(id, revision));
    expect(await wire.rest()).toEqual([error(3, -32603, "Too many requests in flight; try again later")]);
  });

  test("rejects an id that is in use, and continues the first request", async () => {
    let finish!: (result: object) => void;
    const { wire } = await serveEither(revision, {
      "tools/call": () => new Promise<object>((resolve) => (finish = resolve)),
    });
    wire.receive(call(1, revision));
    wire.receive(call(1, revision));
    expect(await wire.next()).toEqual(error(1, -32600, "Invalid Request: id is in use"));
    finish({ content: [] });
    expect(await wire.next()).toMatchObject({ id: 1, result: { content: [] } });
    wire.receive(call(1, revision));
    await idle();
    finish({ content: [] });
    expect(await wire.next()).toMatchObject({ id: 1, result: { content: [] } });
  });
});

describe("a message without a valid id", () => {
  const rows: readonly [string, unknown][] = [
    ["an id that is null", { jsonrpc: "2.0", id: null, method: "ping" }],
    ["an id that is a fraction", { jsonrpc: "2.0", id: 1.5, method: "ping" }],
    ["an id that is an object", { jsonrpc: "2.0", id: { a: 1 }, method: "ping" }],
    ["an id that is true", { jsonrpc: "2.0", id: true, method: "ping" }],
    ["a string", "ping"],
    ["null", null],
    ["an empty object", {}],
    ["an object with only jsonrpc", { jsonrpc: "2.0" }],
  ];
  describe.each([
    ["before negotiation", undefined, true],
    [R1, R1, false],
    [R2, R2, false],
    [R3, R3, false],
    [R4, R4, true],
  ] as const)("%s", (_, revision, answered) => {
    test.each(rows)("%s", async (_, message) => {
      const { wire, errors } = revision ? await serveSession(revision) : await serve();
      wire.receive(message);
      const answers = await wire.rest();
      if (answered) {
        expect(answers).toMatchObject([{ jsonrpc: "2.0", error: { code: -32600 } }]);
        expect(answers[0]).not.toHaveProperty("id");
      } else expect(answers).toEqual([]);
      expect(errors).toMatchObject([{ code: -32600 }]);
    });
  });

  test.each(all)("an unreadable message, at a server that supports only %s", async (revision) => {
    const { wire, errors } = await serve({ revisions: [serverSide(revision)] });
    const unreadable = new ProtocolError(-32700, "Parse error");
    wire.onerror?.(unreadable);
    expect(await wire.rest()).toEqual([{ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" } }]);
    expect(errors).toEqual([unreadable]);
  });

  test("reports other transport errors without a response", async () => {
    const { wire, errors } = await serve();
    const trouble = new Error("disk");
    wire.onerror?.(trouble);
    expect(await wire.rest()).toEqual([]);
    expect(errors).toEqual([trouble]);
  });
});

describe("a client responds to", () => {
  test.each(handshakeEra)("%s: a request without a handler", async (revision) => {
    const { wire } = await clientOf(revision);
    for (const method of ["roots/list", "sampling/createMessage", "tools/list", "no/such", "toString"])
      expect(await wire.ask(1, method)).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  test("no request in the stateless era", async () => {
    const { client, wire, errors } = await clientOf(R5, { capabilities: { roots: {} } });
    client.handle({ "roots/list": () => ({ roots: [] }), ping: () => ({}) });
    wire.receive(request(1, "roots/list"));
    wire.receive(request(2, "ping"));
    wire.receive(request(3, "no/such"));
    expect(await wire.rest()).toEqual([]);
    expect(errors.map((one) => (one as Partial<ProtocolError>).code)).toEqual(Array(3).fill("INVALID_MESSAGE"));
  });

  test("a failing handler with only an error code", async () => {
    const { client, wire, errors } = await clientOf(R4, { capabilities: { roots: {} } });
    client.handle({
      "roots/list": () => {
        throw new Error("secret");
      },
    });
    expect(await wire.ask(1, "roots/list")).toEqual(error(1, -32603, "Internal error"));
    expect(errors).toMatchObject([{ message: "secret" }]);
  });
});

describe("a client does not send a request that", () => {
  const rows: readonly [string, string, string, object | undefined, object, string][] = [
    ["the revision does not have", R5, "ping", undefined, {}, "NOT_IN_THIS_REVISION"],
    ["was added later", R3, "server/discover", undefined, {}, "NOT_IN_THIS_REVISION"],
    ["only a server sends", R4, "roots/list", undefined, {}, "NOT_IN_THIS_REVISION"],
    ["is inherited by every object", R4, "constructor", undefined, {}, "NOT_IN_THIS_REVISION"],
    [
      "needs a capability that the server did not declare",
      R4,
      "prompts/list",
      undefined,
      { tools: {} },
      "CAPABILITY_NOT_SUPPORTED",
    ],
    [
      "needs a capability that the server declared in part",
      R4,
      "resources/subscribe",
      { uri: "a:b" },
      { resources: {} },
      "CAPABILITY_NOT_SUPPORTED",
    ],
    [
      "needs a capability that the stateless server did not declare",
      R5,
      "prompts/list",
      undefined,
      { tools: {} },
      "CAPABILITY_NOT_SUPPORTED",
    ],
  ];
  test.each(rows)("%s (%s)", async (_, revision, method, own, serverCapabilities, code) => {
    const { client, wire } = await clientOf(revision, { serverCapabilities });
    await expect(client.request(method, own)).rejects.toMatchObject({ name: "SdkError", code });
    expect(wire.sent).toEqual([]);
    expect(client.waiting).toBe(0);
  });
});

describe("a server does not send a request that", () => {
  const rows: readonly [string, string, object, string, object | undefined, string][] = [
    ["needs a capability that the client did not declare", R4, {}, "roots/list", undefined, "CAPABILITY_NOT_SUPPORTED"],
    ["was added later", R2, { elicitation: {} }, "elicitation/create", {}, "NOT_IN_THIS_REVISION"],
    ["only a client sends", R4, {}, "tools/list", undefined, "NOT_IN_THIS_REVISION"],
    ["is inherited by every object", R4, {}, "toString", undefined, "NOT_IN_THIS_REVISION"],
  ];
  test.each(rows)("%s", async (_, revision, capabilities, method, own, code) => {
    const { connection, wire } = await serveSession(revision, {}, {}, capabilities);
    await expect(connection.request(method, own)).rejects.toMatchObject({ code });
    expect(wire.sent).toEqual([]);
  });

  test("a server sends no request to a stateless-era client", async () => {
    const { connection, wire } = await serve();
    await expect(connection.request("ping", undefined)).rejects.toMatchObject({ code: "NOT_IN_THIS_REVISION" });
    expect(() => connection.listen()).toThrow("servers cannot subscribe");
    expect(wire.sent).toEqual([]);
  });
});

test("error classes contain the data for the other side", () => {
  expect(new UnsupportedProtocolVersionError(-32022, ["b", "a"], "c")).toMatchObject({
    code: -32022,
    message: "Unsupported protocol version",
    data: { supported: ["b", "a"], requested: "c" },
  });
});

test("methods of a feature work after it is declared", async () => {
  const { server, wire } = await serveSession(R4, { capabilities: {} });
  expect(await wire.ask(1, "prompts/list")).toMatchObject({ error: { code: -32601 } });
  server.registerCapabilities({ prompts: {} });
  server.handle({ "prompts/list": (_: unknown, ctx: ServerContext) => ({ prompts: [], of: ctx.method }) });
  expect(await wire.ask(2, "prompts/list")).toEqual(result(2, { prompts: [], of: "prompts/list" }));
});

test.each([
  ["tools/call", {}, "server.tools"],
  ["resources/subscribe", { resources: {} }, "server.resources.subscribe"],
  ["completion/complete", { tools: {} }, "server.completions"],
  ["logging/setLevel", {}, "server.logging"],
])("rejects a handler of %s without its capability", async (method, capabilities, missing) => {
  const { server } = await serve({ capabilities });
  expect(() => server.handle({ [method]: () => ({}) })).toThrow(missing);
});
