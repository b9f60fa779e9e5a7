import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { ProtocolError } from "../../../runtime/src/index.js";
import { ajvValidator } from "../../../runtime/src/json-schema.js";
import {
  type AuthorSchema,
  type Completer,
  McpServer,
  type PromptResult,
  ResourceTemplate,
} from "../../../runtime/src/server.js";
import { connect, errorOf, eras, info, revisions, thrown } from "./pair.js";

function says(words: string): PromptResult {
  return { messages: [{ role: "user", content: { type: "text", text: words } }] };
}

const jsonSchema = {
  type: "object",
  properties: { city: { type: "string", title: "City", description: "Where" }, unit: { type: "string" } },
  required: ["city"],
};

const schemas: readonly [string, AuthorSchema][] = [
  ["zod", z.object({ city: z.string().meta({ title: "City", description: "Where" }), unit: z.string().optional() })],
  ["arktype", type({ city: type("string").configure({ title: "City", description: "Where" }), "unit?": "string" })],
  [
    "valibot",
    toStandardJsonSchema(
      v.object({
        city: v.pipe(v.string(), v.title("City"), v.description("Where")),
        unit: v.optional(v.string()),
      }),
    ),
  ],
  ["JSON Schema", jsonSchema],
];

describe.each(schemas)("arguments by %s", (kind, argsSchema) => {
  function serve() {
    const server = new McpServer(info, { jsonSchemaValidator: ajvValidator({ untrusted: false }) });
    server.registerPrompt("ask", { argsSchema }, (args: unknown) => says(JSON.stringify(args)));
    return server;
  }

  test.each(revisions)("%s: are listed, checked, and reach the handler", async (revision) => {
    const { client } = await connect(serve(), revision);
    const { prompts } = await client.listPrompts();
    const known = kind === "arktype" ? {} : { title: "City", description: "Where" };
    expect(prompts).toMatchObject([
      {
        name: "ask",
        arguments: [
          { name: "city", ...known, required: true },
          { name: "unit", required: false },
        ],
      },
    ]);
    const get = (args: Record<string, string>) => client.getPrompt({ name: "ask", arguments: args });
    expect(await get({ city: "Rome" })).toMatchObject(says('{"city":"Rome"}'));
    const missing = await errorOf(get({ unit: "C" }));
    expect(missing).toMatchObject({ code: -32602 });
    expect(missing.message).toMatch(/^Invalid arguments for prompt ask: .*city/);
    expect(await errorOf(client.getPrompt({ name: "ask" }))).toMatchObject({ code: -32602 });
  });
});

describe.each(revisions)("%s", (revision) => {
  test("unknown prompts, invalid arguments, and failures", async () => {
    const problems: string[] = [];
    const server = new McpServer(info, { onerror: ({ message }) => problems.push(message) });
    server.registerPrompt("typed", { argsSchema: z.object({ n: z.coerce.number().max(3) }) }, ({ n }) => {
      expectTypeOf(n).toEqualTypeOf<number>();
      return says(String(n));
    });
    let answer: unknown;
    server.registerPrompt("odd", {}, () => {
      if (answer instanceof Error) throw answer;
      return answer as never;
    });
    const { client } = await connect(server, revision);
    expect(await errorOf(client.getPrompt({ name: "nothing" }))).toMatchObject({
      code: -32602,
      message: "Unknown prompt: nothing",
    });
    expect(await client.getPrompt({ name: "typed", arguments: { n: "3" } })).toMatchObject(says("3"));
    const tooBig = await errorOf(client.getPrompt({ name: "typed", arguments: { n: "4" } }));
    expect(tooBig).toMatchObject({ code: -32602 });
    expect(tooBig.message).toContain("/n");
    for (answer of [new Error("secret"), undefined, {}, { messages: "text" }]) {
      const error = await errorOf(client.getPrompt({ name: "odd" }));
      expect(error, JSON.stringify(answer)).toMatchObject({ code: -32603, message: "Internal error" });
    }
    expect(problems).toHaveLength(4);
    answer = new ProtocolError(4055, "closed", { until: "noon" });
    expect(await errorOf(client.getPrompt({ name: "odd" }))).toMatchObject({ code: 4055, data: { until: "noon" } });
  });

  test("a prompt shows its metadata, and may return any content", async () => {
    const server = new McpServer(info);
    const shown = {
      title: "Title",
      description: "Description",
      icons: [{ src: "https://x.test/i.png" }],
      _meta: { k: 1 },
    };
    server.registerPrompt("p", shown, async () => {
      await Promise.resolve();
      return {
        description: "made",
        messages: [
          { role: "user", content: { type: "image", data: "aGk=", mimeType: "image/png" } },
          { role: "assistant", content: { type: "resource", resource: { uri: "test:x", text: "x" } } },
        ],
      };
    });
    const { client } = await connect(server, revision);
    expect((await client.listPrompts()).prompts).toEqual([{ name: "p", ...shown }]);
    expect(await client.getPrompt({ name: "p" })).toMatchObject({
      description: "made",
      messages: [{ content: { type: "image" } }, { content: { type: "resource" } }],
      resultType: "complete",
    });
  });
});

describe.each(revisions)("%s: completion", (revision) => {
  const seen: unknown[] = [];
  const cities: Completer = (value, { arguments: chosen, request }) => {
    seen.push([value, chosen, request.client.side.revision]);
    return Array.from({ length: 150 }, (_, index) => `${value}${index}`);
  };

  async function served() {
    const server = new McpServer(info);
    server.registerPrompt(
      "p",
      { argsSchema: z.object({ city: z.string(), day: z.string() }), complete: { city: cities } },
      () => says(""),
    );
    server.registerPrompt("plain", {}, () => says(""));
    const template = new ResourceTemplate("test:{city}/{day}", {
      complete: {
        city: async (value) => (await Promise.resolve(["Rome", "Riga"])).filter((one) => one.startsWith(value)),
      },
    });
    server.registerResource("t", template, {}, () => ({ contents: [] }));
    server.registerResource("u", new ResourceTemplate("plain:{x}"), {}, () => ({ contents: [] }));
    server.registerResource("f", "test:fixed", {}, () => ({ contents: [] }));
    return (await connect(server, revision)).client;
  }
  const prompt = { type: "ref/prompt", name: "p" } as const;
  const resource = (uri: string) => ({ type: "ref/resource", uri }) as const;

  test("returns the first 100 of 150 matches, and the total", async () => {
    const client = await served();
    const { completion } = await client.complete({ ref: prompt, argument: { name: "city", value: "R" } });
    expect(completion).toMatchObject({ total: 150, hasMore: true });
    expect(completion.values).toEqual(Array.from({ length: 100 }, (_, index) => `R${index}`));
  });

  test("the completer gets the arguments that are already chosen", async () => {
    const client = await served();
    seen.length = 0;
    await client.complete({
      ref: prompt,
      argument: { name: "city", value: "x" },
      context: { arguments: { day: "Monday" } },
    });
    await client.complete({ ref: prompt, argument: { name: "city", value: "" } });
    expect(seen).toEqual([
      ["x", { day: "Monday" }, revision],
      ["", {}, revision],
    ]);
  });

  test("completes variables of a template, too", async () => {
    const client = await served();
    const { completion } = await client.complete({
      ref: resource("test:{city}/{day}"),
      argument: { name: "city", value: "R" },
    });
    expect(completion).toEqual({ values: ["Rome", "Riga"], total: 2, hasMore: false });
  });

  test("completes arguments that an update adds", async () => {
    const server = new McpServer(info);
    const added = { a: () => ["added"] };
    const greet = server.registerPrompt("p", { argsSchema: z.object({ a: z.string() }) }, () => says(""));
    const family = server.registerResource("t", new ResourceTemplate("test:{a}"), {}, () => ({ contents: [] }));
    const offered = () => server.server.capabilities.completions;
    expect(offered()).toBeUndefined();
    if (revision === "2025-11-25") greet.update({ complete: added });
    else family.update({ template: new ResourceTemplate("test:{a}", { complete: added }) });
    expect(offered()).toEqual({});
    const { client } = await connect(server, revision);
    const ref = revision === "2025-11-25" ? prompt : resource("test:{a}");
    const { completion } = await client.complete({ ref, argument: { name: "a", value: "" } });
    expect(completion.values).toEqual(["added"]);
  });

  test.each([
    ["an argument without completer", prompt, "day"],
    ["an inherited property as argument", prompt, "constructor"],
    ["a prompt without completers", { type: "ref/prompt", name: "plain" } as const, "x"],
    ["a template without completers", resource("plain:{x}"), "x"],
    ["a fixed resource", resource("test:fixed"), "x"],
  ])("%s has no suggestions", async (_name, ref, name) => {
    const client = await served();
    const { completion } = await client.complete({ ref, argument: { name, value: "" } });
    expect(completion).toEqual({ values: [], total: 0, hasMore: false });
  });

  test.each([
    ["prompt", { type: "ref/prompt", name: "nothing" } as const],
    ["template", resource("nothing:{x}")],
  ])("rejects an unknown %s", async (_name, ref) => {
    const client = await served();
    expect(await errorOf(client.complete({ ref, argument: { name: "x", value: "" } }))).toMatchObject({ code: -32602 });
  });

  test("a server without completers does not declare completions", async () => {
    const server = new McpServer(info);
    server.registerPrompt("p", {}, () => says(""));
    const { client, wire } = await connect(server, revision);
    const before = wire.length;
    const error = await errorOf(client.complete({ ref: prompt, argument: { name: "x", value: "" } }));
    // The oldest revision has no capability for it, so the client has to send the request.
    const untold = revision === "2024-11-05";
    expect(error).toMatchObject({ code: untold ? -32601 : "CAPABILITY_NOT_SUPPORTED" });
    expect(wire).toHaveLength(untold ? before + 2 : before);
  });
});

test.each(eras)("%s: a completer that fails is an internal error", async (revision) => {
  const server = new McpServer(info, { onerror: () => undefined });
  const complete = () => {
    throw new Error("secret");
  };
  server.registerPrompt("p", { argsSchema: z.object({ a: z.string() }), complete: { a: complete } }, () => says(""));
  const { client } = await connect(server, revision);
  const call = client.complete({ ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } });
  expect(await errorOf(call)).toMatchObject({ code: -32603, message: "Internal error" });
});

test("rejects invalid prompts at registration", () => {
  const server = new McpServer(info);
  server.registerPrompt("p", {}, () => says(""));
  const shape: AuthorSchema = { a: z.string() };
  const refused: (() => unknown)[] = [
    () => server.registerPrompt("p", {}, () => says("")),
    () => server.registerPrompt("q", { argsSchema: shape }, () => says("")),
    () => server.registerPrompt("q", { argsSchema: z.string() }, () => says("")),
    () => server.registerPrompt("q", { argsSchema: jsonSchema }, () => says("")),
    () => server.registerPrompt("q", {}, undefined as never),
  ];
  for (const register of refused) expect(thrown(register)).toMatchObject({ code: "INVALID_CONFIGURATION" });
});

describe("an argument that accepts no strings is refused at registration", () => {
  const register = (argsSchema: AuthorSchema) => () =>
    new McpServer(info).registerPrompt("p", { argsSchema }, () => ({ messages: [] }));

  test.each<[string, z.ZodType]>([
    ["a number", z.number()],
    ["an integer with bounds", z.int().min(1_000)],
    ["an optional number", z.number().optional()],
    ["a boolean", z.boolean()],
    ["a list", z.array(z.string())],
    ["an object", z.object({ a: z.string() })],
    ["null", z.null()],
  ])("%s", (_, member) => {
    const error = thrown(register(z.object({ other: z.string(), n: member })));
    expect(error).toMatchObject({ code: "INVALID_CONFIGURATION" });
    expect(error.message).toContain('argsSchema of prompt "p": n must accept strings');
  });

  test.each<[string, z.ZodType]>([
    ["a string", z.string().min(50)],
    ["a converted number", z.coerce.number().min(1_000)],
    ["a converted boolean", z.coerce.boolean()],
    ["a list in JSON", z.preprocess((value) => JSON.parse(String(value)) as unknown, z.array(z.string())).catch([])],
    ["a string or a number", z.union([z.string(), z.number()])],
    ["anything", z.unknown()],
    ["a choice", z.enum(["a", "b"])],
    ["an asynchronous check", z.coerce.number().refine(async () => Promise.resolve(false))],
  ])("but not %s", (_, member) => {
    expect(register(z.object({ n: member }))).not.toThrow();
  });
});
