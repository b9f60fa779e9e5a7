import { Validator } from "@cfworker/json-schema";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { Client, type ClientOptions } from "../../../runtime/src/client.js";
import { Client as CoreClient } from "../../../runtime/src/client/core.js";
import type { MethodHandlers } from "../../../runtime/src/connection/dispatch-table.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { ajvValidator } from "../../../runtime/src/json-schema.js";
import { cfworkerValidator } from "../../../runtime/src/json-schema-cfworker.js";
import { McpServer, ResourceTemplate, Server } from "../../../runtime/src/server.js";
import {
  clientOf,
  connect,
  errorOf,
  eras,
  handshakeEra,
  info,
  methods,
  revisions,
  settled,
  text,
  thrown,
} from "./pair.js";

const all = { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} };

describe.each(revisions)("%s", (revision) => {
  test("returns the server's info, capabilities and instructions", async () => {
    const server = new McpServer(
      { ...info, title: "Test server" },
      { instructions: "Be kind.", capabilities: { logging: {} } },
    );
    server.registerTool("t", {}, () => text(""));
    const { client } = await connect(server, revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toEqual({ ...info, title: "Test server" });
    expect(client.getServerCapabilities()).toEqual({ logging: {}, tools: { listChanged: true } });
    expect(client.getInstructions()).toBe("Be kind.");
    expect(client.era).toBe(revision === "2026-07-28" ? "stateless" : "handshake");
    await client.close();
    expect([client.getServerVersion(), client.getServerCapabilities(), client.getInstructions(), client.era]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("does not send requests for undeclared capabilities", async () => {
    const { client, wire } = await connect(new McpServer(info), revision);
    const before = wire.length;
    const calls: Promise<unknown>[] = [
      client.listTools(),
      client.callTool({ name: "t" }),
      client.listPrompts(),
      client.getPrompt({ name: "p" }),
      client.listResources(),
      client.listResourceTemplates(),
      client.readResource({ uri: "test:r" }),
    ];
    for (const call of calls) expect(await errorOf(call)).toMatchObject({ code: "CAPABILITY_NOT_SUPPORTED" });
    expect(wire).toHaveLength(before);
  });

  test("ping and isAlive", async () => {
    const { client, wire } = await connect(new McpServer(info), revision);
    expect(await client.isAlive()).toBe(true);
    if (revision === "2026-07-28") {
      expect(await errorOf(client.ping())).toMatchObject({ code: "NOT_IN_THIS_REVISION" });
      expect(methods(wire, "out")).toEqual([]);
    } else {
      await client.ping();
      expect(methods(wire, "out")).toEqual(["ping", "ping"]);
    }
  });

  test("does not send a method that the revision lacks", async () => {
    const { client, wire } = await connect(new McpServer(info), revision);
    const before = wire.length;
    const other = revision === "2026-07-28" ? "logging/setLevel" : "server/discover";
    for (const method of [other, "no/such", "constructor"])
      expect(await errorOf(client.connection.request(method, {}))).toMatchObject({ code: "NOT_IN_THIS_REVISION" });
    expect(wire).toHaveLength(before);
  });

  test("close rejects pending requests and all later ones", async () => {
    const server = new McpServer(info);
    let aborted: unknown;
    server.registerTool("hang", {}, ({ signal }) => {
      signal.addEventListener("abort", () => {
        aborted = signal.reason;
      });
      return new Promise(() => undefined);
    });
    const closings: unknown[] = [];
    const { client } = await connect(server, revision, { onclose: (error) => closings.push(error) });
    const call = errorOf(client.callTool({ name: "hang" }));
    await settled();
    await client.close();
    expect(await call).toMatchObject({ name: "SdkError", code: "CONNECTION_CLOSED" });
    await settled();
    expect(aborted).toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(closings).toEqual([undefined]);
    expect(await errorOf(client.callTool({ name: "hang" }))).toMatchObject({ code: "NOT_CONNECTED" });
    expect(thrown(() => client.connection)).toMatchObject({ code: "NOT_CONNECTED" });
  });

  test("connects again after close", async () => {
    const server = new McpServer(info);
    server.registerTool("t", {}, () => text("again"));
    const { client } = await connect(server, revision);
    await client.close();
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    await server.connect(serverEnd);
    await client.connect(clientEnd);
    expect(await client.callTool({ name: "t" })).toMatchObject(text("again"));
    await client.close();
  });

  test("rejects a second connect, also while the first is in progress", async () => {
    const server = new McpServer(info);
    const { client } = await connect(server, revision);
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    await server.connect(serverEnd);
    expect(await errorOf(client.connect(clientEnd))).toMatchObject({ code: "ALREADY_CONNECTED" });
    await client.close();
    const first = client.connect(clientEnd);
    const [otherEnd, otherServerEnd] = InMemoryTransport.createLinkedPair();
    await server.connect(otherServerEnd);
    expect(await errorOf(client.connect(otherEnd))).toMatchObject({ code: "ALREADY_CONNECTED" });
    await first;
    expect(await client.isAlive()).toBe(true);
    await client.close();
  });

  test("a failed connect leaves the client unchanged", async () => {
    const { client } = clientOf(revision);
    const broken = new InMemoryTransport();
    expect(await errorOf(client.connect(broken))).toMatchObject({ code: "NOT_CONNECTED" });
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    await new McpServer(info).connect(serverEnd);
    await client.connect(clientEnd);
    expect(await client.isAlive()).toBe(true);
    await client.close();
  });

  test("returns lists whole or page by page", async () => {
    const server = new McpServer(info, { pageSize: 2 });
    for (const name of ["a", "b", "c", "d", "e"]) {
      server.registerTool(name, {}, () => text(""));
      server.registerPrompt(name, {}, () => ({ messages: [] }));
      server.registerResource(name, `test:${name}`, {}, () => ({ contents: [] }));
      server.registerResource(name, new ResourceTemplate(`test:${name}/{x}`), {}, () => ({ contents: [] }));
    }
    const { client } = await connect(server, revision);
    const lists = [
      [await client.listTools(), await client.listTools({ cursor: btoa("tool 1") }), "tools"],
      [await client.listPrompts(), await client.listPrompts({ cursor: btoa("prompt 1") }), "prompts"],
      [await client.listResources(), await client.listResources({ cursor: btoa("resource 1") }), "resources"],
      [
        await client.listResourceTemplates(),
        await client.listResourceTemplates({ cursor: btoa("resource template 1") }),
        "resourceTemplates",
      ],
    ] as const;
    for (const [whole, page, member] of lists) {
      const names = (list: unknown) => (list as Record<string, { name: string }[]>)[member]?.map(({ name }) => name);
      expect([names(whole), whole.nextCursor]).toEqual([["a", "b", "c", "d", "e"], undefined]);
      expect([names(page), page.nextCursor !== undefined]).toEqual([["c", "d"], true]);
      for (const list of [whole, page])
        expect(list).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
    }
  });

  test.each([
    ["the same cursor every time", (): string => "again"],
    ["two cursors in turn", (cursor?: string): string => (cursor === "a" ? "b" : "a")],
  ])("detects repeated cursors: %s", async (_name, next) => {
    const server = new Server(info, { capabilities: all });
    server.handle({ "tools/list": ({ cursor }: { cursor?: string }) => ({ tools: [], nextCursor: next(cursor) }) });
    const { client, wire } = await connect(server, revision);
    expect(await errorOf(client.listTools())).toMatchObject({ code: "LIST_PAGINATION_EXCEEDED" });
    expect(methods(wire, "out").length).toBeLessThan(5);
  });

  test("stops after the maximum number of pages", async () => {
    const server = new Server(info, { capabilities: all });
    let pages = 0;
    server.handle({ "tools/list": () => ({ tools: [], nextCursor: String(pages++) }) });
    const { client } = await connect(server, revision, { trace: () => undefined });
    expect(await errorOf(client.listTools())).toMatchObject({ code: "LIST_PAGINATION_EXCEEDED" });
    expect(pages).toBe(1_001);
  });

  test("one invalid item does not empty a list", async () => {
    const server = new Server(info, { capabilities: all });
    const tools = [
      { name: "good", inputSchema: { type: "object" } },
      { name: "no schema" },
      { name: 5, inputSchema: { type: "object" } },
      null,
      { name: "fine", inputSchema: { type: "object" } },
    ];
    server.handle<MethodHandlers>({
      "tools/list": () => ({ tools }),
      "prompts/list": () => ({ prompts: [{ name: "p" }, {}] }),
      "resources/list": () => ({ resources: [{ name: "r", uri: "test:r" }, { name: "no uri" }] }),
      "resources/templates/list": () => ({ resourceTemplates: [{ name: "t", uriTemplate: "test:{x}" }, 1] }),
    });
    const bad: unknown[] = [];
    const { client } = await connect(server, revision, {
      onInvalidItem: (item, method, { text }) => bad.push([method, item, text]),
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["good", "fine"]);
    expect((await client.listPrompts()).prompts).toHaveLength(1);
    expect((await client.listResources()).resources).toHaveLength(1);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    expect(bad).toEqual([
      ["tools/list", { name: "no schema" }, "/inputSchema must be an object, got nothing"],
      ["tools/list", { name: 5, inputSchema: { type: "object" } }, "/name must be a string, got a number"],
      ["tools/list", null, "must be an object, got null"],
      ["prompts/list", {}, "/name must be a string, got nothing"],
      ["resources/list", { name: "no uri" }, "/uri must be a string, got nothing"],
      ["resources/templates/list", 1, "must be an object, got a number"],
    ]);
  });

  test("an invalid result is an error with the received value", async () => {
    const server = new Server(info, { capabilities: all });
    server.handle<MethodHandlers>({
      "tools/list": () => ({ tools: "many" }),
      "tools/call": () => ({ content: [{ type: "strange" }] }),
    });
    const { client } = await connect(server, revision);
    expect(await errorOf(client.listTools())).toMatchObject({
      name: "SdkError",
      code: "INVALID_RESULT",
      message: "invalid result of tools/list: it does not match the schema: /tools must be an array, got a string",
      data: {
        issues: [{ path: "/tools", expected: "an array", received: "a string" }],
        result: expect.objectContaining({ tools: "many" }) as unknown,
      },
    });
    expect(await errorOf(client.callTool({ name: "t" }))).toMatchObject({ code: "INVALID_RESULT" });
  });

  test("a result tag has a meaning only in the revisions that have it", async () => {
    const stateless = revision === "2026-07-28";
    const hints = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    serverEnd.onmessage = (message) => {
      const { id, method } = message as { id?: number; method: string };
      const opening = stateless
        ? { supportedVersions: [revision], capabilities: all, ...hints }
        : { protocolVersion: revision, capabilities: all, serverInfo: info };
      const result = method === "tools/list" ? { tools: [], resultType: "input_required", more: 1 } : opening;
      if (id !== undefined) serverEnd.send({ jsonrpc: "2.0", id, result });
    };
    await serverEnd.start();
    const { client } = clientOf(revision);
    await client.connect(clientEnd);
    const list = client.listTools();
    if (stateless) expect(await errorOf(list)).toMatchObject({ code: "INVALID_RESULT" });
    else expect(await list).toMatchObject({ tools: [], resultType: "complete", more: 1 });
    await client.close();
  });

  test("delivers log messages from the requested level up", async () => {
    const server = new McpServer(info, { capabilities: { logging: {} } });
    server.registerTool("t", {}, (context) => {
      for (const level of ["debug", "info", "error"] as const) context.log(level, { level }, "test");
      return text("");
    });
    const { client } = await connect(server, revision);
    const heard: unknown[] = [];
    client.setNotificationHandler("notifications/message", (params) =>
      heard.push([params.level, params.data, params.logger]),
    );
    const said = async () => {
      heard.length = 0;
      await client.callTool({ name: "t" });
      await settled();
      return heard.map((entry) => (entry as string[])[0]);
    };
    expect(await said()).toEqual(revision === "2026-07-28" ? [] : ["info", "error"]);
    await client.setLoggingLevel("error");
    expect(await said()).toEqual(["error"]);
    expect(heard).toEqual([["error", { level: "error" }, "test"]]);
    await client.setLoggingLevel("debug");
    expect(await said()).toEqual(["debug", "info", "error"]);
  });
});

describe("the era", () => {
  const both = () => {
    const server = new McpServer(info);
    server.registerTool("t", {}, () => text("ok"));
    return server;
  };

  test.each([
    ["detected", undefined, ["server/discover"]],
    ["passed as an option", "stateless", ["server/discover"]],
    ["passed as an option, handshake", "handshake", ["initialize", "notifications/initialized"]],
  ] as const)("%s", async (_name, era, opening) => {
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    const { client, wire } = clientOf(revisions);
    await both().connect(serverEnd);
    await client.connect(clientEnd, era && { era });
    expect(wire.flatMap(({ direction, method }) => (direction === "out" && method ? [method] : []))).toEqual(opening);
    expect(await client.callTool({ name: "t" })).toMatchObject(text("ok"));
    expect(client.era).toBe(era ?? "stateless");
    await client.close();
  });

  test("detects a handshake server by its response, without waiting", async () => {
    const server = new McpServer(info, { revisions: both().server.revisions.handshake });
    const { client } = await connect(server, revisions);
    expect(client.era).toBe("handshake");
    expect(client.getNegotiatedProtocolVersion()).toBe("2025-11-25");
  });

  test("detects a wrong era option, both ways", async () => {
    const { handshake, stateless: stateless } = both().server.revisions;
    for (const [served, era] of [
      [handshake, "stateless"],
      [[...stateless.values()], "handshake"],
    ] as const) {
      const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
      const { client } = clientOf(revisions);
      await new McpServer(info, { revisions: served }).connect(serverEnd);
      await client.connect(clientEnd, { era });
      expect(client.era).toBe(era === "handshake" ? "stateless" : "handshake");
      await client.close();
    }
  });
});

describe("structured output is checked against the listed schema", () => {
  const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const validators = [
    ["ajv", ajvValidator()],
    ["cfworker", cfworkerValidator(Validator)],
  ] as const;

  async function calling(
    jsonSchemaValidator: (typeof validators)[number][1] | undefined,
    schema: object,
    result: object,
    options: ClientOptions = {},
  ) {
    const server = new Server(info, { capabilities: all });
    const tool = { name: "t", inputSchema: { type: "object" }, outputSchema: schema };
    server.handle<MethodHandlers>({
      "tools/list": () => ({ tools: [tool] }),
      "tools/call": () => ({ content: [], ...result }),
    });
    const pair = await connect(server, "2025-11-25", {
      ...options,
      ...(jsonSchemaValidator && { jsonSchemaValidator }),
    });
    return { ...pair, call: () => pair.client.callTool({ name: "t" }) };
  }

  describe.each(validators)("%s", (_name, validator) => {
    test.each([
      ["matches", { structuredContent: { n: 1 } }, undefined],
      ["matches, with extra members", { structuredContent: { n: 1, more: true } }, undefined],
      ["has another type", { structuredContent: { n: "1" } }, /\/n/],
      ["is missing", {}, /must return structuredContent/],
      ["is missing in an error result", { isError: true }, undefined],
    ])("output that %s", async (_what, result, problem) => {
      const { client, call } = await calling(validator, outputSchema, result);
      expect(await call()).toMatchObject(result);
      await client.listTools();
      if (!problem) expect(await call()).toMatchObject(result);
      else {
        const error = await errorOf(call());
        expect(error).toMatchObject({ name: "SdkError", code: "INVALID_RESULT" });
        expect(error.message).toMatch(problem);
      }
    });

    test.each([
      ["of an unknown dialect", { $schema: "https://example.com/dialect", ...outputSchema }],
      ["with an external reference", { type: "object", properties: { n: { $ref: "https://example.com/n.json" } } }],
      ["that is invalid", { type: "object", properties: { n: { type: "strange" } } }],
      ["with a hostile pattern", { type: "object", properties: { n: { pattern: "^(a+)+$" } } }],
    ])("a schema %s hides neither the tool nor its result, and is reported once", async (_what, schema) => {
      const { client, call, problems } = await calling(validator, schema, { structuredContent: { n: "1" } });
      const [tool] = (await client.listTools()).tools;
      expect(tool).toMatchObject({ name: "t", outputSchema: schema });
      for (let time = 0; time < 2; time++) expect(await call()).toMatchObject({ structuredContent: { n: "1" } });
      expect(problems).toMatchObject([{ name: "SdkError", code: "INVALID_CONFIGURATION" }]);
      expect(problems[0]?.message).toContain('output of tool "t" is not checked');
    });

    test("the option onUncheckedTool gets the tool and the reason before the result, once per list", async () => {
      const schema = { $schema: "https://example.com/dialect", ...outputSchema };
      const events: unknown[] = [];
      const { client, call, problems } = await calling(
        validator,
        schema,
        { structuredContent: { n: "1" } },
        {
          onUncheckedTool: (name, { code, data, message }) => {
            events.push([name, code, data, message.includes("https://example.com/dialect")]);
            throw new Error("of the hook");
          },
        },
      );
      const unchecked = ["t", "INVALID_CONFIGURATION", schema, true];
      await client.listTools();
      expect(events).toEqual([]);
      for (let time = 0; time < 2; time++) events.push((await call()).structuredContent);
      expect(events).toEqual([unchecked, { n: "1" }, { n: "1" }]);
      expect(problems).toHaveLength(2);
      expect(problems[1]?.message).toBe("of the hook");
      await client.listTools();
      await call();
      expect(events.slice(3)).toEqual([unchecked]);
    });
  });

  test("checks nothing without a validator", async () => {
    const { client, call } = await calling(undefined, outputSchema, { structuredContent: { n: "1" } });
    await client.listTools();
    expect(await call()).toMatchObject({ structuredContent: { n: "1" } });
  });

  test("a new list brings new schemas, and a new server its own schemas", async () => {
    const server = new McpServer(info);
    const tool = server.registerTool("t", { outputSchema: z.object({ n: z.number() }) }, () => ({
      structuredContent: { n: 1 },
    }));
    const { client } = await connect(server, "2025-11-25", { jsonSchemaValidator: ajvValidator() });
    await client.listTools();
    tool.update({ outputSchema: z.object({ s: z.string() }), callback: () => ({ structuredContent: { s: "x" } }) });
    expect(await errorOf(client.callTool({ name: "t" }))).toMatchObject({ code: "INVALID_RESULT" });
    await client.listTools();
    expect(await client.callTool({ name: "t" })).toMatchObject({ structuredContent: { s: "x" } });
    await client.close();
    const other = new McpServer(info);
    other.registerTool("t", {}, () => text("plain"));
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    await other.connect(serverEnd);
    await client.connect(clientEnd);
    expect(await client.callTool({ name: "t" })).toMatchObject(text("plain"));
  });
});

describe("request options", () => {
  test.each(eras)("%s: log messages can repeat a reference of the caller's", async (revision) => {
    const server = new McpServer(info, { capabilities: { logging: {} } });
    server.registerTool("t", {}, ({ log, _meta }) => {
      log("info", { call: _meta["com.example/call"] });
      return text("ok");
    });
    const { client } = await connect(server, revision);
    await client.setLoggingLevel("info");
    const logged: unknown[] = [];
    client.setNotificationHandler("notifications/message", ({ data }) => logged.push(data));
    for (const call of ["7", "8"]) await client.callTool({ name: "t" }, { meta: { "com.example/call": call } });
    expect(logged).toEqual([{ call: "7" }, { call: "8" }]);
  });

  test.each(eras)("%s: metadata of the caller reaches the handler", async (revision) => {
    const server = new McpServer(info);
    server.registerTool("t", {}, ({ _meta }) => text(JSON.stringify([_meta["a"], _meta["b"]])));
    const { client } = await connect(server, revision);
    const result = await client.callTool({ name: "t", _meta: { a: 1, b: 1 } }, { meta: { b: 2 } });
    expect(result).toMatchObject(text("[1,2]"));
  });

  test.each(eras)("%s: progress and a timeout", async (revision) => {
    const server = new McpServer(info);
    server.registerTool("t", {}, (context) => {
      context.progress({ progress: 1, total: 2, message: "half" });
      return text("done");
    });
    server.registerTool("hang", {}, () => new Promise(() => undefined));
    const { client, wire } = await connect(server, revision);
    const progress: unknown[] = [];
    await client.callTool({ name: "t" }, { onProgress: (one) => progress.push(one) });
    expect(progress).toEqual([{ progress: 1, total: 2, message: "half" }]);
    expect(await errorOf(client.callTool({ name: "hang" }, { timeoutMs: 5 }))).toMatchObject({
      code: "REQUEST_TIMEOUT",
    });
    expect(methods(wire, "out").at(-1)).toBe("notifications/cancelled");
  });
});

describe("rejects invalid options at construction", () => {
  test("no revision", () => {
    expect(thrown(() => new CoreClient(info, { revisions: [] }))).toMatchObject({ code: "INVALID_CONFIGURATION" });
    expect(thrown(() => new Client(info, { revisions: new McpServer(info).server.revisions.all }))).toMatchObject({
      code: "INVALID_CONFIGURATION",
    });
  });
});

test.each(handshakeEra)("%s: methods of the deprecated features work and are marked", async (revision) => {
  const { client, wire } = await connect(new McpServer(info, { capabilities: { logging: {} } }), revision);
  await client.setLoggingLevel("warning");
  expect(methods(wire, "out")).toEqual(["logging/setLevel"]);
});

test("results have the types of the authoring revision", () => {
  expectTypeOf<Awaited<ReturnType<Client["readResource"]>>["ttlMs"]>().toEqualTypeOf<number>();
  expectTypeOf<Awaited<ReturnType<Client["callTool"]>>["structuredContent"]>().toBeUnknown();
  expectTypeOf<Parameters<Client["callTool"]>[0]>().toExtend<{ name: string; arguments?: Record<string, unknown> }>();
});

test.each([
  ["callTool", (client: Client) => client.callTool({ name: "t" })],
  ["getPrompt", (client: Client) => client.getPrompt({ name: "p" })],
  ["listTools", (client: Client) => client.listTools()],
  ["readResource", (client: Client) => client.readResource({ uri: "x://1" })],
  [
    "complete",
    (client: Client) => client.complete({ ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } }),
  ],
  ["ping", (client: Client) => client.ping()],
])("%s of a client that is not connected rejects instead of throwing", async (_name, call) => {
  const { client } = clientOf("2026-07-28");
  let pending: Promise<unknown> | undefined;
  expect(() => (pending = call(client))).not.toThrow();
  await expect(pending).rejects.toMatchObject({ code: "NOT_CONNECTED" });
});
