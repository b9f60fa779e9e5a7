import { describe, expect, test } from "vitest";
import { withSettings } from "@mcpwright/protocol/layer-extension";
import { Client } from "../../../runtime/src/client.js";
import { Server, type ServerContext } from "../../../runtime/src/server.js";
import {
  capabilitiesKey,
  clientInfo,
  clientSide,
  connectClient,
  initialize,
  modern,
  R1,
  R4,
  R5,
  serve,
  serverInfo,
  serverSide,
  versionKey,
} from "../connection/connection-ends.js";
import { notification, request, result, Wire } from "../connection/wire.js";
import { rankExtension, rankId } from "./rank-extension.js";

const rank = { "tools/rank": ({ query }: { query: string }) => ({ order: [query] }) };
const declared = { extensions: { [rankId]: {} } };
const only2026 = { ...rankExtension, revisions: [R5] };

describe("a server declares its extensions", () => {
  const settings = { maxItems: 5 };
  const extensions = [withSettings(rankExtension, settings)];

  test("in the result of server/discover", async () => {
    const { wire } = await serve({ extensions, capabilities: { tools: {}, extensions: { "com.example/own": {} } } });
    expect((await wire.ask(1, "server/discover", modern())).result?.["capabilities"]).toEqual({
      tools: {},
      extensions: { "com.example/own": {}, [rankId]: settings },
    });
  });

  test("in the result of initialize, in the revisions that they are laid over", async () => {
    const { wire } = await serve({ extensions });
    expect((await initialize(wire, R4)).result?.["capabilities"]).toEqual({
      tools: {},
      extensions: { [rankId]: settings },
    });
  });

  test.each([
    ["an older revision", R1, rankExtension],
    ["a revision that the extension is not for", R4, only2026],
  ])("but not in %s", async (_, revision, extension) => {
    const { wire } = await serve({ extensions: [extension] });
    expect((await initialize(wire, revision)).result?.["capabilities"]).toEqual({ tools: {} });
  });
});

describe("a client declares its extensions", () => {
  const settings = { locale: "de" };
  const extensions = [withSettings(rankExtension, settings)];

  test("in the metadata of each request", async () => {
    const { client, wire } = await connectClient(R5, { extensions, capabilities: { elicitation: {} } });
    void client.callTool({ name: "t" }).catch(() => undefined);
    expect((await wire.next()).params?._meta?.["io.modelcontextprotocol/clientCapabilities"]).toEqual({
      elicitation: {},
      extensions: { [rankId]: settings },
    });
    await client.close();
  });

  test.each([
    ["in initialize", R4, extensions, { extensions: { [rankId]: settings } }],
    ["not in initialize of an older revision", R1, extensions, {}],
    ["not in a revision that the extension is not for", R4, [only2026], {}],
  ])("%s", async (_, revision, given, expected) => {
    const client = new Client(clientInfo, { revisions: [clientSide(R5), clientSide(revision)], extensions: given });
    const wire = new Wire();
    const connected = client.connect(wire, { era: "handshake" });
    const { id = "", params } = await wire.next();
    expect(params?.["capabilities"]).toEqual(expected);
    wire.receive(result(id, { protocolVersion: revision, capabilities: {}, serverInfo }));
    await connected;
    await client.close();
  });
});

describe("a request of an extension", () => {
  test("is answered to a client that declares it", async () => {
    const { wire } = await serve({ extensions: [rankExtension] }, rank);
    expect((await wire.ask(1, "tools/rank", modern({ query: "a" }, declared))).result).toMatchObject({
      resultType: "complete",
      order: ["a"],
    });
  });

  test.each([
    ["valid params", { query: "a" }],
    ["invalid params", { query: 1 }],
  ])("with %s is rejected with -32021 if the client did not declare the extension", async (_, params) => {
    const { wire } = await serve({ extensions: [rankExtension] }, rank);
    expect((await wire.ask(1, "tools/rank", modern(params))).error).toEqual({
      code: -32021,
      message: `The client did not declare the required capability extensions.${rankId}`,
      data: { requiredCapabilities: { extensions: { [rankId]: {} } } },
    });
  });

  test.each([
    ["in a session of a client that declared it", R4, declared, { result: { order: ["a"] } }],
    ["in a session of another client", R4, {}, { error: { code: -32602 } }],
    ["in a session of a revision without it", R1, declared, { error: { code: -32601 } }],
  ])("%s", async (_, revision, capabilities, expected) => {
    const { wire } = await serve({ extensions: [rankExtension] }, rank);
    await initialize(wire, revision, capabilities);
    expect(await wire.ask(1, "tools/rank", { query: "a" })).toMatchObject(expected);
  });

  test("with invalid params is rejected with -32602", async () => {
    const { wire } = await serve({ extensions: [rankExtension] }, rank);
    expect((await wire.ask(1, "tools/rank", modern({}, declared))).error?.code).toBe(-32602);
  });

  test.each(["constructor", "__proto__", "toString", "tools/unknown"])("%s is not found", async (method) => {
    const { wire } = await serve({ extensions: [rankExtension] }, rank);
    expect((await wire.ask(1, method, modern({ query: "a" }, declared))).error?.code).toBe(-32601);
  });

  test("is not found on a server without the extension", async () => {
    const { wire } = await serve({}, rank);
    expect((await wire.ask(1, "tools/rank", modern({ query: "a" }, declared))).error?.code).toBe(-32601);
  });
});

describe("a client sends a request of an extension", () => {
  const send = async (revision: string, capabilities: object) => {
    const { client, wire } = await connectClient(revision, { extensions: [rankExtension] }, capabilities);
    return { answer: client.connection.request("tools/rank", { query: "a" }), wire };
  };

  test.each([R4, R5])("to a server of %s that declares it", async (revision) => {
    const { answer, wire } = await send(revision, declared);
    const { id = "", method } = await wire.next();
    expect(method).toBe("tools/rank");
    wire.receive(result(id, { order: [] }));
    expect(await answer).toEqual({ order: [] });
  });

  test.each([
    ["another server", R5, {}, "CAPABILITY_NOT_SUPPORTED", `the server does not offer extensions.${rankId}`],
    ["another server of an older revision", R4, {}, "CAPABILITY_NOT_SUPPORTED", "does not offer"],
  ])("but not to %s", async (_, revision, capabilities, code, message) => {
    const { answer, wire } = await send(revision, capabilities);
    await expect(answer).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string });
    expect(wire.sent).toEqual([]);
  });

  test("and not in a revision without it", async () => {
    const client = new Client(clientInfo, { revisions: [clientSide(R5), clientSide(R1)], extensions: [rankExtension] });
    const wire = new Wire();
    const connected = client.connect(wire, { era: "handshake" });
    wire.receive(result((await wire.next()).id ?? "", { protocolVersion: R1, capabilities: declared, serverInfo }));
    await connected;
    await expect(client.connection.request("tools/rank", { query: "a" })).rejects.toMatchObject({
      code: "NOT_IN_THIS_REVISION",
    });
    await client.close();
  });
});

test.each([
  ["declared it", declared, { favourite: "a" }],
  ["did not declare it", {}, "CAPABILITY_NOT_SUPPORTED"],
])("a server sends its requests to a client that %s", async (_, capabilities, expected) => {
  const { wire, connection } = await serve({ extensions: [rankExtension] });
  await initialize(wire, R4, capabilities);
  const answer = connection.request("rank/preferences", {});
  if (typeof expected === "string") return expect(answer).rejects.toMatchObject({ code: expected });
  wire.receive(result((await wire.next()).id ?? "", expected));
  expect(await answer).toEqual(expected);
});

describe("notifications of an extension", () => {
  test("reach the server", async () => {
    const seen: unknown[] = [];
    const { wire } = await serve(
      { extensions: [rankExtension] },
      { "notifications/rank/used": (params: object) => seen.push(params) },
    );
    wire.receive(notification("notifications/rank/used", modern({ query: "a" }, declared)));
    await expect.poll(() => seen).toMatchObject([{ query: "a" }]);
  });

  test("reach the client", async () => {
    const { client, wire } = await connectClient(R5, { extensions: [rankExtension] }, declared);
    const seen: unknown[] = [];
    client.setNotificationHandler<{ "notifications/rank": object }>("notifications/rank", (params) =>
      seen.push(params),
    );
    wire.receive(notification("notifications/rank", { query: "a" }));
    await expect.poll(() => seen).toEqual([{ query: "a" }]);
    await client.close();
  });
});

describe("a notification of an extension that the peer has not declared", () => {
  const problem = `the peer has not declared the extension ${rankId}`;
  const received = (method: string): object[] => [{ code: -32602, message: `${method}: ${problem}` }];
  const used = "notifications/rank/used";

  test.each([
    ["in its metadata", R5, modern({ query: "a" })],
    ["in its metadata, which has none", R5, { query: "a", _meta: { [versionKey]: R5 } }],
    [
      "in its metadata, which is malformed",
      R5,
      { query: "a", _meta: { [versionKey]: R5, [capabilitiesKey]: { extensions: 5 } } },
    ],
    ["in its session", R4, { query: "a" }],
  ])("%s is dropped by the server and reported", async (_, revision, params) => {
    const seen: unknown[] = [];
    const { wire, errors } = await serve(
      { extensions: [rankExtension] },
      { [used]: (given: object) => seen.push(given) },
    );
    if (revision !== R5) await initialize(wire, revision);
    wire.receive(notification(used, params));
    expect(await wire.rest()).toEqual([]);
    expect(errors).toMatchObject(received(used));
    expect(seen).toEqual([]);
  });

  test("is not accepted because an earlier session declared it", async () => {
    const { wire, errors } = await serve({ extensions: [rankExtension] }, { [used]: () => undefined });
    await initialize(wire, R4, declared);
    wire.receive(notification(used, { query: "a" }));
    await wire.rest();
    expect(errors).toEqual([]);
    wire.receive(notification(used, { query: "a", _meta: { [versionKey]: R5 } }));
    await wire.rest();
    expect(errors).toMatchObject(received(used));
  });

  test.each([R4, R5])("is dropped by the client and reported (%s)", async (revision) => {
    const { client, wire, errors } = await connectClient(revision, { extensions: [rankExtension] });
    const seen: unknown[] = [];
    client.setNotificationHandler<{ "notifications/rank": object }>("notifications/rank", (params) =>
      seen.push(params),
    );
    wire.receive(notification("notifications/rank", { query: "a" }));
    await wire.rest();
    expect(errors).toMatchObject(received("notifications/rank"));
    expect(seen).toEqual([]);
    await client.close();
  });

  test.each([R4, R5])("is not sent by the client (%s)", async (revision) => {
    const { client, wire } = await connectClient(revision, { extensions: [rankExtension] });
    await expect(client.connection.notify(used, { query: "a" })).rejects.toThrow(new TypeError(`${used}: ${problem}`));
    expect(await wire.rest()).toEqual([]);
    await client.close();
  });

  test.each([R4, R5])("is not sent by the handler of a server (%s)", async (revision) => {
    const sent: unknown[] = [];
    const { wire, errors } = await serve(
      { extensions: [rankExtension] },
      {
        "tools/call": async (_params: object, context: ServerContext) => {
          sent.push(await context.notify("notifications/rank", { query: "a" }).catch((error: unknown) => error));
          return { content: [] };
        },
      },
    );
    if (revision !== R5) await initialize(wire, revision);
    const answer = await wire.ask(1, "tools/call", revision === R5 ? modern({ name: "t" }) : { name: "t" });
    expect(answer.result).toMatchObject({ content: [] });
    expect(sent).toEqual([new TypeError(`notifications/rank: ${problem}`)]);
    expect(errors).toEqual(sent);
  });

  test("is not sent by a server to a session", async () => {
    const { wire, connection } = await serve({ extensions: [rankExtension] });
    await initialize(wire, R4);
    await expect(connection.notify("notifications/rank", { query: "a" })).rejects.toThrow(problem);
    expect(await wire.rest()).toEqual([]);
  });
});

test.each([R4, R5])(
  "a client sends notifications of an extension that the server has declared (%s)",
  async (revision) => {
    const { client, wire } = await connectClient(revision, { extensions: [rankExtension] }, declared);
    await client.connection.notify("notifications/rank/used", { query: "a" });
    expect(await wire.next()).toEqual(notification("notifications/rank/used", { query: "a" }));
    await client.close();
  },
);

describe("members that an extension adds to the filter of a stream", () => {
  const listen = (notifications: unknown, capabilities?: object): object => modern({ notifications }, capabilities);

  test.each<[string, unknown, object, object]>([
    [
      "from a client that has not declared it",
      { rankQueries: ["a"] },
      {},
      { code: -32021, data: { requiredCapabilities: { extensions: { [rankId]: {} } } } },
    ],
    ["malformed, from a client that has not declared it", { rankQueries: 5 }, {}, { code: -32021 }],
    [
      "malformed",
      { rankQueries: [5] },
      declared,
      {
        code: -32602,
        message: `subscriptions/listen: notifications.rankQueries does not match the schema of the extension ${rankId}`,
      },
    ],
    ["in a filter that is malformed", 5, declared, { code: -32602 }],
  ])("%s are refused", async (_, filter, capabilities, error) => {
    const { wire } = await serve({ extensions: [rankExtension] });
    expect((await wire.ask(1, "subscriptions/listen", listen(filter, capabilities))).error).toMatchObject(error);
  });

  test.each([
    ["valid", { rankQueries: ["a"], toolsListChanged: true }, declared],
    ["absent", { toolsListChanged: true }, {}],
  ])("%s leave the rest of the filter alone", async (_, filter, capabilities) => {
    const { wire } = await serve({ extensions: [rankExtension], capabilities: { tools: { listChanged: true } } });
    wire.receive(request(1, "subscriptions/listen", listen(filter, capabilities)));
    expect(await wire.next()).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { toolsListChanged: true } },
    });
  });
});

describe("the constructors reject", () => {
  const other = { ...rankExtension, id: "com.example/other" };
  const noMessages = { receives: { requests: {}, notifications: {}, results: {} }, sends: { notifications: {} } };
  const settings = () => true;
  const empty = { ...rankExtension, id: "com.example/empty", alternatives: {}, server: { ...noMessages, settings } };
  const withMethod = (method: string) => ({
    ...empty,
    client: {
      ...noMessages,
      settings,
      receives: { ...noMessages.receives, results: { [method]: { result: () => true, capability: null } } },
    },
    server: {
      ...noMessages,
      settings,
      receives: {
        ...noMessages.receives,
        requests: { [method]: { params: null, paramsOptional: true, capability: null } },
      },
    },
  });

  test.each<[string, readonly unknown[], string]>([
    ["an extension twice", [rankExtension, rankExtension], `${rankId} is passed twice`],
    [
      "two extensions with a common method",
      [withMethod("tools/rank"), rankExtension],
      "tools/rank, which com.example/empty has, too",
    ],
    ["an extension with a method of the revision", [withMethod("tools/call")], "tools/call, which 2026-07-28 has, too"],
    [
      "two extensions with a common result",
      [rankExtension, { ...empty, client: { ...noMessages, settings }, alternatives: rankExtension.alternatives }],
      'adds the result "ranked" to tools/call, which has it already',
    ],
    [
      "an extension with a result of the revision",
      [
        {
          ...empty,
          client: { ...noMessages, settings },
          alternatives: { "tools/call": { input_required: { result: () => true, atLeastOneOf: [] } } },
        },
      ],
      'adds the result "input_required" to tools/call',
    ],
    [
      "an extension of another contract",
      [{ ...rankExtension, contract: 1 }],
      "was generated for version 1 of the contract",
    ],
    [
      "an extension without a revision that is passed",
      [{ ...other, revisions: ["2024-11-05"] }],
      "com.example/other cannot be laid over 2026-07-28; pass 2024-11-05",
    ],
    [
      "settings that do not match",
      [{ ...rankExtension, settings: { maxItems: "many", locale: 5 } }],
      `the settings of the extension ${rankId} do not match its schema`,
    ],
  ])("%s", (_, extensions, problem) => {
    const expected = expect.objectContaining({
      code: "INVALID_CONFIGURATION",
      message: expect.stringContaining(problem) as string,
    }) as Error;
    const given = { extensions: extensions as never };
    expect(() => new Server(serverInfo, { revisions: [serverSide(R5)], ...given })).toThrow(expected);
    expect(() => new Client(clientInfo, { revisions: [clientSide(R5)], ...given })).toThrow(expected);
  });
});
