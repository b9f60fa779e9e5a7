import { describe, expect, test } from "vitest";
import type { ServerContext } from "../../../../runtime/src/server/contracts.js";
import {
  all,
  capabilitiesKey,
  clientInfo,
  handshakeEra,
  infoKey,
  logLevelKey,
  modern,
  R4,
  R5,
  serve,
  serverInfo,
  serverInfoKey,
  serverSide,
  versionKey,
} from "../../connection/connection-ends.js";
import { error, request, Wire } from "../../connection/wire.js";

const only = { revisions: [serverSide(R5)] };
const tool = { "tools/call": () => ({ content: [] }) };
const tag = { [serverInfoKey]: serverInfo };

describe("the metadata of a request", () => {
  const whole = { [versionKey]: R5, [capabilitiesKey]: {}, [infoKey]: clientInfo };
  const without = (key: string): object => Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key));

  test.each<[string, unknown, string]>([
    ["no params", undefined, versionKey],
    ["no _meta", { name: "t" }, versionKey],
    ["an empty _meta", { name: "t", _meta: {} }, versionKey],
    ["no version", { name: "t", _meta: without(versionKey) }, versionKey],
    ["no capabilities", { name: "t", _meta: without(capabilitiesKey) }, capabilitiesKey],
    ["a version that is a number", { name: "t", _meta: { ...whole, [versionKey]: 2026 } }, versionKey],
    ["a version that is null", { name: "t", _meta: { ...whole, [versionKey]: null } }, versionKey],
    ["capabilities that are an array", { name: "t", _meta: { ...whole, [capabilitiesKey]: [] } }, capabilitiesKey],
    ["capabilities that are true", { name: "t", _meta: { ...whole, [capabilitiesKey]: true } }, capabilitiesKey],
  ])("with %s it is -32602, naming the key", async (_, params, key) => {
    const { wire } = await serve(only, tool);
    wire.receive({ ...request(1, "tools/call"), ...(params !== undefined && { params }) });
    const { error: refusal } = await wire.next();
    expect(refusal?.code).toBe(-32602);
    expect(refusal?.message).toContain(key);
  });

  test.each<[string, object]>([
    ["a client that is a string", { [infoKey]: "me" }],
    ["a client without version", { [infoKey]: { name: "me" } }],
    ["capabilities of a wrong shape", { [capabilitiesKey]: { elicitation: 5 } }],
    ["an unknown log level", { [logLevelKey]: "loud" }],
    ["a log level that is a number", { [logLevelKey]: 3 }],
  ])("with %s it is -32602", async (_, meta) => {
    const { wire } = await serve(only, tool);
    expect(await wire.ask(1, "tools/call", modern({ name: "t" }, {}, meta))).toMatchObject({ error: { code: -32602 } });
  });

  test.each<[string, object]>([
    ["without a client", { name: "t", _meta: without(infoKey) }],
    ["with unknown metadata", { name: "t", _meta: { ...whole, "com.example/x": [1], y: null } }],
    ["with unknown params", { name: "t", later: 1, _meta: whole }],
    ["with unknown capabilities", { name: "t", _meta: { ...whole, [capabilitiesKey]: { later: { x: 1 } } } }],
  ])("%s it is accepted", async (_, params) => {
    const { wire } = await serve(only, tool);
    expect((await wire.ask(1, "tools/call", params)).result).toEqual({
      resultType: "complete",
      content: [],
      _meta: tag,
    });
  });
});

describe("no state is kept", () => {
  const tell = {
    "tools/call": ({ name }: { name: string }, { client, session }: ServerContext) => ({
      content: [],
      name,
      info: client.info,
      capabilities: client.capabilities,
      level: client.logLevel,
      session,
    }),
  };

  test("uses capabilities, client info and log level of each request", async () => {
    const { wire } = await serve(only, tell);
    const said = async (id: number, capabilities: object, meta: object) =>
      (await wire.ask(id, "tools/call", modern({ name: "t" }, capabilities, meta))).result;
    const other = { name: "other", version: "9" };
    expect(await said(1, { elicitation: {} }, { [logLevelKey]: "debug" })).toMatchObject({
      info: clientInfo,
      capabilities: { elicitation: {} },
      level: "debug",
    });
    const second = await said(2, { sampling: {} }, { [infoKey]: other });
    expect(second).toMatchObject({ info: other, capabilities: { sampling: {} } });
    expect(second).not.toHaveProperty("level");
    expect(second).not.toHaveProperty("session");
  });

  test("does not use a capability of an earlier request", async () => {
    const form = { message: "?", requestedSchema: { type: "object" as const, properties: {} } };
    const { wire } = await serve(only, {
      "tools/call": async (_: unknown, ctx: ServerContext) => ({ content: [], answer: await ctx.elicit("q", form) }),
    });
    expect((await wire.ask(1, "tools/call", modern({ name: "t" }, { elicitation: {} }))).result).toMatchObject({
      resultType: "input_required",
    });
    expect((await wire.ask(2, "tools/call", modern({ name: "t" }))).error?.code).toBe(-32021);
  });

  test("rejects requests of the handshake era", async () => {
    const { wire } = await serve(only, tell);
    for (const [method, code] of [
      ["initialize", -32022],
      ["ping", -32602],
      ["tools/call", -32602],
    ] as const)
      expect((await wire.ask(1, method, { name: "t" })).error?.code).toBe(code);
    for (const method of ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"])
      expect((await wire.ask(1, method, modern({ level: "info", uri: "a:b" }))).error?.code).toBe(-32601);
  });

  test.each([
    ["a revision", {}],
    ["an unsupported revision", { [versionKey]: "1999-01-01" }],
    ["an invalid revision", { [versionKey]: 5 }],
  ])("lists the supported revisions for initialize with %s", async (_, meta) => {
    const { wire } = await serve(only);
    const params = modern({ protocolVersion: R4, capabilities: {}, clientInfo }, {}, meta);
    expect((await wire.ask(1, "initialize", params)).error).toEqual({
      code: -32601,
      message: "Method not found: initialize",
      data: { supported: [R5] },
    });
  });
});

describe("server/discover", () => {
  test("returns versions, newest first, capabilities, instructions, hints and the server info", async () => {
    const capabilities = { tools: { listChanged: true }, extensions: { "com.example/x": { depth: 1 } } };
    const { wire } = await serve({ capabilities, instructions: "be kind" });
    expect(await wire.ask(1, "server/discover", modern())).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        resultType: "complete",
        supportedVersions: [...all].reverse(),
        capabilities,
        instructions: "be kind",
        ttlMs: 0,
        cacheScope: "private",
        _meta: tag,
      },
    });
  });

  test("contains capabilities that are declared later", async () => {
    const { wire, server } = await serve(only);
    server.registerCapabilities({ prompts: { listChanged: true } });
    server.registerCapabilities({ prompts: {}, logging: {} });
    expect((await wire.ask(1, "server/discover", modern())).result).toMatchObject({
      supportedVersions: [R5],
      capabilities: { tools: {}, prompts: { listChanged: true }, logging: {} },
    });
  });

  test("omits missing instructions", async () => {
    const { wire } = await serve(only);
    expect((await wire.ask(1, "server/discover", modern())).result).not.toHaveProperty("instructions");
  });
});

describe("typed errors", () => {
  test.each([...handshakeEra, "1999-01-01", "2026-07-29", ""])("the version %j is -32022", async (version) => {
    const { wire } = await serve({}, tool);
    // Handshake-era revisions are not accepted in the metadata.
    const supported = handshakeEra.includes(version) ? [R5] : [...all].reverse();
    expect(await wire.ask(1, "tools/call", modern({ name: "t" }, {}, { [versionKey]: version }))).toEqual(
      error(1, -32022, "Unsupported protocol version", { supported, requested: version }),
    );
  });

  test("truncates a long version in the error", async () => {
    const { wire } = await serve({}, tool);
    const answer = await wire.ask(1, "tools/call", modern({ name: "t" }, {}, { [versionKey]: "x".repeat(10_000) }));
    expect(JSON.stringify(answer).length).toBeLessThan(400);
  });

  const form = { message: "?", requestedSchema: { type: "object" as const, properties: {} } };
  const url = { mode: "url" as const, message: "?", url: "https://x.test/" };
  const sample = { messages: [], maxTokens: 1 };
  const withTools = { ...sample, tools: [{ name: "t", inputSchema: { type: "object" as const } }] };
  test.each<[string, object, (ctx: ServerContext) => Promise<unknown>, object]>([
    ["a form", {}, (ctx) => ctx.elicit("q", form), { elicitation: {} }],
    [
      "a form, of a client that supports only URLs",
      { elicitation: { url: {} } },
      (ctx) => ctx.elicit("q", form),
      { elicitation: { form: {} } },
    ],
    ["a URL, of a client without elicitation", {}, (ctx) => ctx.elicit("q", url), { elicitation: { url: {} } }],
    [
      "a URL, of a client that supports only forms",
      { elicitation: {} },
      (ctx) => ctx.elicit("q", url),
      { elicitation: { url: {} } },
    ],
    [
      "a URL, of a client that declares form",
      { elicitation: { form: {} } },
      (ctx) => ctx.elicit("q", url),
      { elicitation: { url: {} } },
    ],
    ["sampling", { roots: {} }, (ctx) => ctx.sample("q", sample), { sampling: {} }],
    [
      "sampling with tools, of a client without sampling",
      {},
      (ctx) => ctx.sample("q", withTools),
      { sampling: { tools: {} } },
    ],
    ["sampling with tools", { sampling: {} }, (ctx) => ctx.sample("q", withTools), { sampling: { tools: {} } }],
    [
      "sampling with includeContext",
      { sampling: {} },
      (ctx) => ctx.sample("q", { ...sample, includeContext: "thisServer" }),
      { sampling: { context: {} } },
    ],
    ["roots", { sampling: {} }, (ctx) => ctx.listRoots("q"), { roots: {} }],
  ])(
    "%s that the client did not declare is -32021, with only the missing part",
    async (_, capabilities, ask, requiredCapabilities) => {
      const { wire } = await serve(only, {
        "tools/call": async (_: unknown, ctx: ServerContext) => ({ content: [], answer: await ask(ctx) }),
      });
      const { error: refusal } = await wire.ask(1, "tools/call", modern({ name: "t" }, capabilities));
      expect(refusal).toMatchObject({ code: -32021, data: { requiredCapabilities } });
      expect(refusal?.data).toEqual({ requiredCapabilities });
    },
  );

  test("a method of an undeclared feature is -32601", async () => {
    const { wire } = await serve(only);
    for (const method of ["prompts/list", "resources/read", "completion/complete", "tools/list", "no/such"])
      expect(await wire.ask(1, method, modern())).toMatchObject({ error: { code: -32601 } });
  });
});

describe("results", () => {
  async function answer(
    made: object,
    options: Parameters<typeof serve>[0] = only,
    method = "tools/call",
    params: object = { name: "t" },
  ) {
    const { wire } = await serve(
      { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} }, ...options },
      {
        [method]: () => made,
      },
    );
    return (await wire.ask(1, method, modern(params))).result;
  }

  test.each<[string, object, object]>([
    ["without a type is complete", { content: [] }, { resultType: "complete", content: [], _meta: tag }],
    [
      "with its type keeps it",
      { resultType: "complete", content: [] },
      { resultType: "complete", content: [], _meta: tag },
    ],
    ["of an extension keeps its type", { resultType: "task", id: 1 }, { resultType: "task", id: 1, _meta: tag }],
    [
      "keeps its metadata",
      { content: [], _meta: { mine: 1 } },
      { resultType: "complete", content: [], _meta: { mine: 1, ...tag } },
    ],
    ["keeps unknown members", { content: [], later: 1 }, { resultType: "complete", content: [], later: 1, _meta: tag }],
  ])("a result %s", async (_, made, sent) => {
    expect(await answer(made)).toEqual(sent);
  });

  test("omit the server info with includeServerInfo: false", async () => {
    const { wire } = await serve({ ...only, includeServerInfo: false }, tool);
    const call = await wire.ask(1, "tools/call", modern({ name: "t" }));
    const discovery = await wire.ask(2, "server/discover", modern());
    expect(JSON.stringify([call, discovery])).not.toContain(serverInfo.name + '"');
    expect(call.result).toMatchObject({ resultType: "complete", content: [] });
  });

  const cacheable: readonly [string, object, object][] = [
    ["tools/list", {}, { tools: [] }],
    ["prompts/list", {}, { prompts: [] }],
    ["resources/list", {}, { resources: [] }],
    ["resources/templates/list", {}, { resourceTemplates: [] }],
    ["resources/read", { uri: "a:b" }, { contents: [] }],
  ];
  test("completion/complete returns a hundred values at most", async () => {
    const values = Array.from({ length: 150 }, String);
    const complete = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
    const made = async (completion: object) =>
      (await answer({ completion }, only, "completion/complete", complete))?.["completion"];
    expect(await made({ values })).toEqual({ values: values.slice(0, 100), total: 150, hasMore: true });
    expect(await made({ values, total: 999 })).toMatchObject({ total: 999, hasMore: true });
    expect(await made({ values: values.slice(50) })).toEqual({ values: values.slice(50) });
  });

  test.each(cacheable)("%s has cache hints: by default, not cached", async (method, params, made) => {
    const options = { ...only, cacheHints: { [method]: { ttlMs: 5_000, cacheScope: "public" as const } } };
    expect(await answer(made, only, method, params)).toEqual({
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
      ...made,
      _meta: tag,
    });
    expect(await answer(made, options, method, params)).toMatchObject({ ttlMs: 5_000, cacheScope: "public" });
    expect(await answer({ ...made, ttlMs: 7, cacheScope: "public" }, options, method, params)).toMatchObject({
      ttlMs: 7,
      cacheScope: "public",
    });
    expect(await answer({ ...made, ttlMs: 7 }, only, method, params)).toMatchObject({
      ttlMs: 7,
      cacheScope: "private",
    });
  });

  test.each<[string, object, object]>([
    ["tools/call", { name: "t" }, { content: [] }],
    ["prompts/get", { name: "p" }, { messages: [] }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } },
      { completion: { values: [] } },
    ],
  ])("%s has no cache hints", async (method, params, made) => {
    expect(await answer(made, only, method, params)).toEqual({ resultType: "complete", ...made, _meta: tag });
  });

  test.each(handshakeEra)("%s: adds no members", async (revision) => {
    const { wire } = await serve({}, { "tools/list": () => ({ tools: [] }) });
    await wire.ask("i", "initialize", { protocolVersion: revision, capabilities: {}, clientInfo });
    expect((await wire.ask(1, "tools/list")).result).toEqual({ tools: [] });
  });
});

describe("log messages", () => {
  const options = { ...only, capabilities: { tools: {}, logging: {} } };
  const order = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
  const logAll = {
    "tools/call": (_: unknown, ctx: ServerContext) => {
      for (const level of order) ctx.log(level, "x");
      return { content: [] };
    },
  };

  test.each([undefined, ...order])("are sent by level for a request with %s", async (level) => {
    const { wire } = await serve(options, logAll);
    wire.receive(request("r", "tools/call", modern({ name: "t" }, {}, level && { [logLevelKey]: level })));
    // On the stream of that request, before its response.
    expect(new Set(wire.beside.map((one) => one?.relatedRequestId))).toEqual(new Set(["r"]));
    const sent = wire.take();
    expect(sent.slice(0, -1).map(({ params }) => params?.["level"])).toEqual(
      level ? order.slice(order.indexOf(level)) : [],
    );
    expect(sent.at(-1)).toMatchObject({ id: "r", result: { resultType: "complete" } });
  });

  test("use the level of their request only", async () => {
    const { wire } = await serve(options, logAll);
    wire.receive(request(1, "tools/call", modern({ name: "t" }, {}, { [logLevelKey]: "debug" })));
    expect(wire.take()).toHaveLength(9);
    wire.receive(request(2, "tools/call", modern({ name: "t" })));
    expect(wire.take()).toHaveLength(1);
  });
});

test("passes the extensions map in both directions", async () => {
  const extensions = { "com.example/one": { depth: 2 }, "com.example/two": {} };
  const { wire } = await serve(
    { ...only, capabilities: { tools: {}, extensions } },
    { "tools/call": (_: unknown, { client }: ServerContext) => ({ content: [], client: client.capabilities }) },
  );
  expect((await wire.ask(1, "server/discover", modern())).result).toMatchObject({ capabilities: { extensions } });
  expect((await wire.ask(2, "tools/call", modern({ name: "t" }, { extensions }))).result?.["client"]).toEqual({
    extensions,
  });
});

test("keeps equal ids of different clients apart", async () => {
  const { server, wire } = await serve(only, { "tools/call": () => new Promise(() => undefined) });
  const other = new Wire();
  await server.connect(other);
  for (const end of [wire, other]) end.receive(request(1, "tools/call", modern({ name: "t" })));
  expect([await wire.rest(), await other.rest()]).toEqual([[], []]);
});
