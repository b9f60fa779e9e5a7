import { Validator } from "@cfworker/json-schema";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { ProtocolError, SdkError } from "../../../runtime/src/index.js";
import { ajvValidator } from "../../../runtime/src/json-schema.js";
import { cfworkerValidator } from "../../../runtime/src/json-schema-cfworker.js";
import { type AuthorSchema, McpServer, type ServerContext, type ToolConfig } from "../../../runtime/src/server.js";
import { connect, errorOf, eras, info, type Revision, revisions, text, thrown } from "./pair.js";

const jsonSchema = {
  type: "object",
  properties: { a: { type: "string" }, b: { type: "number" } },
  required: ["a"],
  additionalProperties: false,
};
const ajv = ajvValidator({ untrusted: false });
const cfworker = cfworkerValidator(Validator, { untrusted: false });

const draft07 = { $schema: "http://json-schema.org/draft-07/schema#", ...jsonSchema };
const hasA = (value: unknown) =>
  typeof (value as { a?: unknown }).a === "string"
    ? { value: value as { a: string } }
    : { issues: [{ message: "must have text", path: ["a"] }] };

const inputs: readonly [string, AuthorSchema, typeof ajv | undefined][] = [
  ["zod", z.strictObject({ a: z.string(), b: z.number().optional() }), undefined],
  ["arktype", type({ a: "string", "b?": "number" }), undefined],
  ["valibot", toStandardJsonSchema(v.object({ a: v.string(), b: v.optional(v.number()) })), undefined],
  ["a pair", { validate: hasA, jsonSchema }, undefined],
  [
    "a pair with an asynchronous function",
    { validate: (value: unknown) => Promise.resolve(hasA(value)), jsonSchema },
    undefined,
  ],
  ["JSON Schema 2020-12 with ajv", jsonSchema, ajv],
  ["JSON Schema draft-07 with ajv", draft07, ajv],
  ["JSON Schema 2020-12 with cfworker", jsonSchema, cfworker],
  ["JSON Schema draft-07 with cfworker", draft07, cfworker],
];

describe.each(inputs)("arguments by %s", (_name, inputSchema, jsonSchemaValidator) => {
  function serve() {
    const server = new McpServer(info, jsonSchemaValidator && { jsonSchemaValidator });
    let runs = 0;
    server.registerTool("echo", { inputSchema }, (args: unknown) => {
      runs++;
      return text(JSON.stringify(args));
    });
    return { server, runs: () => runs };
  }

  test("are listed as JSON Schema, and reach the handler if they match", async () => {
    const { client } = await connect(serve().server, "2026-07-28");
    const [tool] = (await client.listTools()).tools;
    expect(tool?.inputSchema).toMatchObject({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "number" } },
      required: ["a"],
    });
    expect(await client.callTool({ name: "echo", arguments: { a: "x", b: 2 } })).toMatchObject(text('{"a":"x","b":2}'));
  });

  test.each(revisions)("%s: invalid ones are reported in its form, and the handler does not run", async (revision) => {
    const { server, runs } = serve();
    const { client } = await connect(server, revision);
    const call = client.callTool({ name: "echo", arguments: { a: 1 } });
    const message = /^Invalid arguments for tool echo: \/a: /;
    if (revision >= "2025-11-25") {
      expect(await call).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(message) as unknown }],
      });
    } else {
      const error = await errorOf(call);
      expect(error).toMatchObject({ code: -32602 });
      expect(error.message).toMatch(message);
    }
    expect(runs()).toBe(0);
  });
});

test("handlers have typed arguments, for every kind of schema", () => {
  const server = new McpServer(info, { jsonSchemaValidator: ajv });
  server.registerTool(
    "zod",
    { inputSchema: z.object({ a: z.string().transform(Number), b: z.number().default(1) }) },
    (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: number; b: number }>();
      return text("");
    },
  );
  server.registerTool("arktype", { inputSchema: type({ a: "string", "b?": "number" }) }, (args, context) => {
    expectTypeOf(args).toEqualTypeOf<{ a: string; b?: number }>();
    expectTypeOf(context).toEqualTypeOf<ServerContext>();
    return text("");
  });
  server.registerTool("valibot", { inputSchema: toStandardJsonSchema(v.object({ a: v.string() })) }, (args) => {
    expectTypeOf(args).toEqualTypeOf<{ a: string }>();
    return text("");
  });
  server.registerTool("pair", { inputSchema: { validate: hasA, jsonSchema } }, (args) => {
    expectTypeOf(args).toEqualTypeOf<{ a: string }>();
    return text("");
  });
  server.registerTool("json", { inputSchema: jsonSchema }, (args) => {
    expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
    return text("");
  });
  server.registerTool("inline", { outputSchema: z.object({ n: z.number() }) }, async () => {
    await Promise.resolve();
    return { content: [{ type: "text", text: "x" }], structuredContent: { n: 1 } };
  });
  server.registerTool("none", {}, (context, given) => {
    expectTypeOf(context).toEqualTypeOf<ServerContext>();
    expectTypeOf(given).toBeObject();
    return text("");
  });
});

describe("rejects invalid tools at registration, with the remedy", () => {
  const shape = { a: z.string() };
  const rows: readonly [string, unknown, RegExp][] = [
    ["a plain object of schemas", shape, /inputSchema of tool "t": .*z\.object/],
    ["a JSON Schema without validator", jsonSchema, /jsonSchemaValidator/],
    ["valibot without its converter", v.object({ a: v.string() }), /toStandardJsonSchema/],
    ["no object schema", z.string(), /set type: "object"/],
    [
      "a schema that JSON Schema cannot express",
      z.object({ when: z.date() }),
      /inputSchema of tool "t": .*JSON Schema/,
    ],
    ["a string", "string", /not a schema/],
  ];
  test.each(rows)("%s", (_name, inputSchema, remedy) => {
    const server = new McpServer(info);
    const error = thrown(() => server.registerTool("t", { inputSchema: inputSchema as AuthorSchema }, () => text("")));
    expect(error).toMatchObject({ name: "SdkError", code: "INVALID_CONFIGURATION" });
    expect(error.message).toMatch(remedy);
  });

  test.each([
    ["that is invalid", { type: "object", properties: { a: { type: "strange" } } }],
    ["of an unknown dialect", { $schema: "https://example.com/my-dialect", type: "object" }],
    ["with an external reference", { type: "object", properties: { a: { $ref: "https://example.com/a.json" } } }],
  ])("a JSON Schema %s", (_name, inputSchema) => {
    const server = new McpServer(info, { jsonSchemaValidator: ajv });
    const error = thrown(() => server.registerTool("t", { inputSchema }, () => text("")));
    expect(error).toMatchObject({ code: "INVALID_CONFIGURATION" });
    expect(thrown(() => server.registerTool("t", { outputSchema: inputSchema }, () => text("")))).toMatchObject({
      code: "INVALID_CONFIGURATION",
    });
  });

  test("a registered name; it is free again once removed", () => {
    const server = new McpServer(info);
    const first = server.registerTool("t", {}, () => text(""));
    expect(thrown(() => server.registerTool("t", {}, () => text("")))).toMatchObject({
      code: "INVALID_CONFIGURATION",
      message: expect.stringContaining('"t"') as unknown,
    });
    server.registerTool("T", {}, () => text(""));
    first.remove();
    server.registerTool("t", {}, () => text(""));
  });

  test.each([
    ["with spaces and, commas", true],
    ["x".repeat(129), true],
    ["größe", true],
    ["x".repeat(128), false],
    ["a.b-c_D9", false],
  ])("the unusual name %s is reported, and still works", async (name, told) => {
    const problems: Error[] = [];
    const server = new McpServer(info, { onerror: (error) => problems.push(error) });
    server.registerTool(name, {}, () => text("works"));
    expect(problems.map(({ message }) => message)).toEqual(told ? [expect.stringContaining(name)] : []);
    const { client } = await connect(server, "2025-11-25");
    expect(await client.callTool({ name })).toMatchObject(text("works"));
  });
});

describe.each(revisions)("%s", (revision) => {
  async function serving(register: (server: McpServer) => void, onerror?: (error: Error) => void) {
    const server = new McpServer(info, { jsonSchemaValidator: ajv, ...(onerror && { onerror }) });
    register(server);
    return (await connect(server, revision)).client;
  }

  test("a tool that does not exist", async () => {
    const client = await serving((server) => server.registerTool("t", {}, () => text("")));
    expect(await errorOf(client.callTool({ name: "T" }))).toMatchObject({ code: -32602, message: "Unknown tool: T" });
    expect(await errorOf(client.callTool({ name: "__proto__" }))).toMatchObject({ code: -32602 });
  });

  test("a tool without arguments lists an empty schema, and needs no arguments", async () => {
    const client = await serving((server) => server.registerTool("t", {}, () => text("ran")));
    const refusal = "Invalid arguments for tool t: /x: the tool takes no arguments";
    const odd = client.callTool({ name: "t", arguments: { x: 1 } });
    if (revision >= "2025-11-25") expect(await odd).toMatchObject({ ...text(refusal), isError: true });
    else expect(await errorOf(odd)).toMatchObject({ code: -32602, message: refusal });
    expect((await client.listTools()).tools[0]?.inputSchema).toEqual({ type: "object", additionalProperties: false });
    expect(await client.callTool({ name: "t" })).toMatchObject(text("ran"));
    expect(await client.callTool({ name: "t", arguments: {} })).toMatchObject(text("ran"));
  });

  test("missing arguments are an empty object", async () => {
    const inputSchema = z.object({ a: z.string().default("preset") });
    const client = await serving((server) => server.registerTool("t", { inputSchema }, ({ a }) => text(a)));
    expect(await client.callTool({ name: "t" })).toMatchObject(text("preset"));
  });

  test("asynchronous handlers", async () => {
    const client = await serving((server) =>
      server.registerTool("t", {}, async () => {
        await Promise.resolve();
        return text("later");
      }),
    );
    expect(await client.callTool({ name: "t" })).toMatchObject(text("later"));
  });

  test("the model gets a tool's error; a protocol error is the response", async () => {
    let error: unknown;
    const client = await serving((server) => {
      server.registerTool("at once", {}, () => {
        throw error;
      });
      server.registerTool("later", {}, async () => {
        await Promise.resolve();
        throw error;
      });
    });
    for (const name of ["at once", "later"]) {
      error = new Error("disk is full");
      expect(await client.callTool({ name })).toMatchObject({ ...text("disk is full"), isError: true });
      error = "a text";
      expect(await client.callTool({ name })).toMatchObject({ ...text("a text"), isError: true });
      error = new ProtocolError(4099, "no", { why: 1 });
      const answer = { code: 4099, message: "no", data: { why: 1 } };
      expect(await errorOf(client.callTool({ name }))).toMatchObject(answer);
    }
  });

  test("metadata for the model and the user", async () => {
    const shown = {
      title: "Title",
      description: "Description",
      annotations: { readOnlyHint: true, title: "Hint" },
      icons: [{ src: "https://example.com/i.png", sizes: ["48x48"], theme: "dark" as const }],
      _meta: { "example.com/x": 1 },
    };
    const client = await serving((server) =>
      server.registerTool("t", shown, () => ({ ...text("x"), _meta: { k: 1 } })),
    );
    expect((await client.listTools()).tools[0]).toMatchObject({ name: "t", ...shown });
    expect((await client.callTool({ name: "t" }))._meta).toMatchObject({ k: 1 });
  });

  test("a handler that returns an invalid result", async () => {
    const problems: Error[] = [];
    let answer: unknown;
    const client = await serving(
      (server) => server.registerTool("t", {}, () => answer as never),
      (error) => problems.push(error),
    );
    for (answer of [undefined, null, "text", [], { structuredContent: undefined }, { content: "text" }])
      expect(await errorOf(client.callTool({ name: "t" })), JSON.stringify(answer)).toMatchObject({ code: -32603 });
    expect(problems).toHaveLength(6);
  });
});

/** Rows of a table, once per revision. */
function inEvery<Row extends readonly unknown[]>(rows: readonly Row[]) {
  return revisions.flatMap((revision) => rows.map((row) => [revision, ...row] as const));
}

describe("structured content", () => {
  const outputSchema = z.object({ n: z.number() });
  async function calling(revision: Revision, config: ToolConfig, answer: unknown) {
    const problems: Error[] = [];
    const server = new McpServer(info, { jsonSchemaValidator: ajv, onerror: (error) => problems.push(error) });
    server.registerTool("t", config as ToolConfig<undefined>, () => answer as never);
    const { client } = await connect(server, revision);
    return { call: client.callTool({ name: "t" }), client, problems };
  }

  /** A value, and whether it is an object. */
  const values: readonly [string, unknown, boolean][] = [
    ["an object", { n: 1 }, true],
    ["a list", [1, 2], false],
    ["a number", 0, false],
    ["null", null, false],
    ["false", false, false],
  ];
  test.each(inEvery(values))(
    "%s: %s is sent in revisions that allow it, and in all as text",
    async (revision, _name, structuredContent, object) => {
      const { call } = await calling(revision, {}, { structuredContent });
      const reaches = revision === "2026-07-28" || (revision >= "2025-06-18" && object);
      const result = await call;
      expect(result.content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
      if (reaches) expect(result).toHaveProperty("structuredContent", structuredContent);
      else expect(result).not.toHaveProperty("structuredContent");
    },
  );

  test.each(revisions)("%s: the handler's own content is left unchanged", async (revision) => {
    const { call } = await calling(revision, { outputSchema }, { ...text("own"), structuredContent: { n: 1 } });
    expect((await call).content).toEqual(text("own").content);
  });

  test.each(revisions)(
    "%s: the sent value is the output of validation, which the listed schema describes",
    async (revision) => {
      const schema = z.object({ n: z.coerce.number(), word: z.string().default("none") });
      const { call, client } = await calling(
        revision,
        { outputSchema: schema },
        { structuredContent: { n: "1", more: 2 } },
      );
      const result = await call;
      const sent = { n: 1, word: "none" };
      expect(result.content).toEqual([{ type: "text", text: JSON.stringify(sent) }]);
      if (revision < "2025-06-18") return;
      expect(result.structuredContent).toEqual(sent);
      const [tool] = (await client.listTools()).tools;
      expect(ajv.compile(tool?.outputSchema ?? false)(result.structuredContent)).toEqual([]);
    },
  );

  const bad: readonly [string, unknown][] = [
    ["missing", text("x")],
    ["of another type", { structuredContent: { n: "1" } }],
    ["null", { structuredContent: null }],
    ["undefined", { ...text("x"), structuredContent: undefined }],
  ];
  test.each(inEvery(bad))(
    "%s: content %s, if a schema requires another, is never a success",
    async (revision, _name, answer) => {
      const { call, problems } = await calling(revision, { outputSchema }, answer);
      expect(await errorOf(call)).toMatchObject({ code: -32603, message: "Internal error" });
      expect(problems[0]?.message).toContain("outputSchema");
    },
  );

  test.each(revisions)("%s: an error result needs no structured content", async (revision) => {
    const { call } = await calling(revision, { outputSchema }, { ...text("failed"), isError: true });
    expect(await call).toMatchObject({ ...text("failed"), isError: true });
  });

  const schemas: readonly [string, AuthorSchema, unknown, boolean][] = [
    ["zod", z.object({ n: z.number() }), { n: 1 }, true],
    ["arktype", type({ n: "number" }), { n: 1 }, true],
    ["valibot", toStandardJsonSchema(v.object({ n: v.number() })), { n: 1 }, true],
    ["JSON Schema", { type: "object", properties: { n: { type: "number" } }, required: ["n"] }, { n: 1 }, true],
    ["zod, a list", z.array(z.number()), [1], false],
    ["JSON Schema, null", { type: "null" }, null, false],
  ];
  test.each(inEvery(schemas))(
    "%s: an output schema by %s is listed in revisions that allow it",
    async (revision, _name, schema, structuredContent, object) => {
      const { call, client } = await calling(revision, { outputSchema: schema }, { structuredContent });
      const [tool] = (await client.listTools()).tools;
      const listed = revision === "2026-07-28" || (revision >= "2025-06-18" && object);
      expect(tool?.outputSchema !== undefined).toBe(listed);
      expect((await call).content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
    },
  );

  test("a schema that accepts everything still requires a value", async () => {
    const { call } = await calling("2026-07-28", { outputSchema: z.any() }, text("x"));
    expect(await errorOf(call)).toMatchObject({ code: -32603 });
  });
});

test.each(eras)(
  "%s: a result that is not JSON is an internal error, and the connection continues",
  async (revision) => {
    const server = new McpServer(info, { onerror: () => undefined });
    let answer: unknown = { content: [{ type: "text", text: 1n }] };
    server.registerTool("t", {}, () => answer as never);
    const { client } = await connect(server, revision);
    expect(await errorOf(client.callTool({ name: "t" }))).toMatchObject({ code: -32603 });
    answer = text("fine");
    expect(await client.callTool({ name: "t" })).toMatchObject(text("fine"));
  },
);

test("registration throws an SdkError", () => {
  expect(thrown(() => new McpServer(info).registerTool("t", {}, undefined as never))).toBeInstanceOf(SdkError);
  // As in SDK 1.x: name, description, shape, callback.
  const old = () => new McpServer(info).registerTool("t", "Adds" as never, {} as never);
  expect(thrown(old).message).toContain("registerTool(name, { description, inputSchema }, callback)");
});
