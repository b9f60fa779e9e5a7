import { ConversionError, conversions, conversionsOf, conversionSteps } from "@mcpwright/protocol/conversions";
import type { ConversionLosses, ConversionStep, ConvertedPart } from "@mcpwright/protocol/contract";
import { revisions } from "@mcpwright/protocol";
import { Server } from "@mcpwright/runtime/server";
import type { DownLosses } from "@mcpwright/protocol/2026-07-28/losses";
import { describe, expect, expectTypeOf, test } from "vitest";
import { refuseMember } from "../../generated/convert.js";
import type { Corpus } from "../../generator/pipeline/emit/corpus/corpus.js";
import type { ProtocolModel, Side, TypeModel } from "../../generator/shared/model/protocol.js";
import { mapDefinition } from "../../generator/shared/model/definitions.js";
import { type PublishedRevision, published, publishedRevision, readGenerated } from "../support/protocol.js";
import { randomFrom, randomInstances } from "../support/random-instances.js";

interface Message {
  readonly sender: Side;
  readonly part: ConvertedPart;
  readonly method: string;
  readonly type: string;
}

type Predicate = (value: unknown) => boolean;

/** Every kind of message that a revision has, including requests embedded in results. */
function messagesOf({ requests, inputRequests, notifications }: ProtocolModel): readonly Message[] {
  const one = (sender: Side, part: ConvertedPart, method: string, type: string | undefined): readonly Message[] =>
    type === undefined ? [] : [{ sender, part, method, type }];
  return [
    ...requests.flatMap(({ sender, method, params, result }) => [
      ...one(sender, "params", method, params),
      ...one(sender, "results", method, result.type),
    ]),
    ...inputRequests.flatMap(({ method, params, result }) => [
      ...one("server", "params", method, params),
      ...one("server", "results", method, result),
    ]),
    ...notifications.flatMap(({ sender, method, params }) => one(sender, "notifications", method, params)),
  ];
}

const messages = new Map(published.map(({ revision, model }) => [revision, messagesOf(model)]));

function counterpart(message: Message, revision: string): Message | undefined {
  const { sender, part, method } = message;
  return messages
    .get(revision)
    ?.find((other) => other.sender === sender && other.part === part && other.method === method);
}

/**
 * Without members of any name: older messages do not use names that a newer revision introduces with another meaning.
 */
function withoutStrangers(model: ProtocolModel): ProtocolModel {
  const closed = (type: TypeModel): TypeModel => {
    if (type.kind === "map" && type.values.kind === "unknown") return { kind: "struct", members: [] };
    return type.kind === "struct" ? { kind: "struct", members: type.members } : type;
  };
  const definitions = model.definitions.map((definition) => {
    const mapped = mapDefinition(definition, closed);
    if (mapped.kind === "alias") return mapped;
    const { index: _index, ...rest } = mapped;
    return rest;
  });
  return { ...model, definitions };
}

const instances = new Map(
  published.map(({ revision, model }) => {
    const { types } = readGenerated(`${revision}/corpus.json`) as Corpus;
    const [make, random] = [randomInstances(withoutStrangers(model)), randomFrom(`conversions ${revision}`)];
    return [
      revision,
      (type: string): readonly unknown[] => [
        ...(types[type]?.instances ?? []),
        ...Array.from({ length: 20 }, () => make(type, random)),
      ],
    ] as const;
  }),
);

/** The members that the connection adds to a request of a stateless revision. */
function inEnvelope({ part, sender }: Message, value: unknown, { entry, model }: PublishedRevision): unknown {
  if (part !== "params" || sender !== "client" || entry.clientSide.profile.opening === "handshake") return value;
  const { _meta, ...rest } = value as { readonly _meta?: object };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": model.revision,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { ...rest, _meta: { ...own(_meta), ...meta } };
}

/** Removes members that the target would read as its own. */
function own(meta: object | undefined): object {
  return Object.fromEntries(Object.entries(meta ?? {}).filter(([key]) => key === "progressToken"));
}

async function lossesOf(from: string, to: string): Promise<ConversionLosses> {
  const [up, newer] = from < to ? [true, to] : [false, from];
  const name = `@mcpwright/protocol/${newer}/losses`;
  const found = (await import(/* @vite-ignore */ name)) as Record<"upLosses" | "downLosses", ConversionLosses>;
  return found[up ? "upLosses" : "downLosses"];
}

const pairs = revisions.flatMap((from) => revisions.filter((to) => to !== from).map((to) => [from, to] as const));

describe.each(pairs)("from %s to %s", (from, to) => {
  const source = publishedRevision(from);
  const target = publishedRevision(to);
  const between = conversions.between(from, to);

  test("converted messages are valid, and unchanged ones are the same object", () => {
    const wrong: string[] = [];
    const seen = { same: 0, changed: 0, refused: 0 };
    for (const message of messages.get(from) ?? []) {
      const { sender, part, method, type } = message;
      const other = counterpart(message, to);
      const convert = between?.(sender, part, method);
      if (!other) {
        if (part !== "results" && !refuses(() => convert?.({}))) wrong.push(`${method} is not refused`);
        continue;
      }
      const is = target.entry[`is${other.type}`] as Predicate;
      for (const value of instances.get(from)?.(type) ?? []) {
        if (!(source.entry[`is${type}`] as Predicate)(value)) throw new Error(`${type}: ${JSON.stringify(value)}`);
        const before = JSON.stringify(value);
        try {
          const converted = convert ? convert(value) : value;
          if (JSON.stringify(value) !== before) wrong.push(`${method} ${part}: the value itself was changed`);
          const unchanged = JSON.stringify(converted) === before;
          if (unchanged && converted !== value) wrong.push(`${method} ${part}: copied for nothing ${before}`);
          if (!is(inEnvelope(message, converted, target))) wrong.push(`${method} ${part}: ${before} became ${JSON.stringify(converted)}`);
          seen[unchanged ? "same" : "changed"]++;
        } catch (error) {
          if (!(error instanceof ConversionError)) throw error;
          if (error.instead === "" || !error.message.startsWith(method)) wrong.push(error.message);
          seen.refused++;
        }
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(seen.same).toBeGreaterThan(0);
  });
});

describe.each(revisions.slice(1).map((newer, at) => [revisions[at] ?? "", newer] as const))("%s and %s", (older, newer) => {
  test.each([
    ["up and down again", older, newer],
    ["down and up again", newer, older],
  ])("%s restores messages without a listed loss", async (_, from, to) => {
    const losses = await lossesOf(from, to);
    const [there, back] = [conversions.between(from, to), conversions.between(to, from)];
    const wrong: string[] = [];
    let compared = 0;
    for (const message of messages.get(from) ?? []) {
      const { sender, part, method, type } = message;
      // The conversion down removes the values that the conversion up has made up.
      const lossless = (losses[sender][part][method] ?? []).every(({ kind }) => kind === "fill");
      if (!counterpart(message, to) || !lossless) continue;
      for (const value of instances.get(from)?.(type) ?? []) {
        const converted = there?.(sender, part, method)?.(value) ?? value;
        const returned = back?.(sender, part, method)?.(converted) ?? converted;
        if (JSON.stringify(returned) !== JSON.stringify(value)) wrong.push(`${method} ${part}: ${JSON.stringify(value)} became ${JSON.stringify(returned)}`);
        compared++;
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(compared).toBeGreaterThan(0);
  });

  test("exactly the rows that change messages list losses", async () => {
    for (const [from, to] of [
      [older, newer],
      [newer, older],
    ] as const) {
      const losses = await lossesOf(from, to);
      const between = conversions.between(from, to);
      const listed = (["client", "server"] as const).flatMap((side) =>
        Object.entries(losses[side]).flatMap(([part, rows]) => Object.keys(rows).map((method) => `${side} ${part} ${method}`)),
      );
      const converted = (messages.get(from) ?? [])
        .filter(({ sender, part, method }) => between?.(sender, part, method))
        .map(({ sender, part, method }) => `${sender} ${part} ${method}`);
      expect(listed.filter((row) => !converted.includes(row) && !isWithoutParams(row, from))).toEqual([]);
      expect(converted.filter((row) => !listed.includes(row))).toEqual([]);
    }
  });
});

function isWithoutParams(row: string, revision: string): boolean {
  return !(messages.get(revision) ?? []).some(({ sender, part, method }) => `${sender} ${part} ${method}` === row);
}

function refuses(act: () => unknown): boolean {
  try {
    act();
    return false;
  } catch (error) {
    return error instanceof ConversionError;
  }
}

const table: readonly [string, string, string, Side, ConvertedPart, string, unknown, unknown][] = [
  [
    "audio becomes a text that mentions it",
    "2025-03-26",
    "2024-11-05",
    "client",
    "results",
    "tools/call",
    { content: [{ type: "audio", data: "AA==", mimeType: "audio/wav", annotations: { priority: 1 } }, { type: "text", text: "a" }] },
    { content: [{ type: "text", text: "[audio, audio/wav]", annotations: { priority: 1 } }, { type: "text", text: "a" }] },
  ],
  [
    "a link becomes a text with its URI; unknown members stay",
    "2026-07-28",
    "2024-11-05",
    "client",
    "results",
    "prompts/get",
    { messages: [{ role: "user", content: { type: "resource_link", name: "n", uri: "file:///a", "x-own": 1 } }] },
    { messages: [{ role: "user", content: { type: "text", text: "n: file:///a", "x-own": 1 } }] },
  ],
  [
    "structured content that is not an object becomes a text if there is no other content",
    "2026-07-28",
    "2025-11-25",
    "client",
    "results",
    "tools/call",
    { resultType: "complete", content: [], structuredContent: [1, 2] },
    { content: [{ type: "text", text: "[1,2]" }] },
  ],
  [
    "schemas of properties are objects; output schemas of objects stay, others are dropped",
    "2026-07-28",
    "2025-06-18",
    "client",
    "results",
    "tools/list",
    {
      tools: [
        { name: "a", inputSchema: { type: "object", properties: { x: true, y: false, z: { type: "string" } } }, outputSchema: { type: "array" } },
        { name: "b", inputSchema: { type: "object" }, outputSchema: { type: "object" } },
      ],
    },
    {
      tools: [
        { name: "a", inputSchema: { type: "object", properties: { x: {}, y: { not: {} }, z: { type: "string" } } } },
        { name: "b", inputSchema: { type: "object" }, outputSchema: { type: "object" } },
      ],
    },
  ],
  [
    "a title is copied to where older clients read it",
    "2025-06-18",
    "2025-03-26",
    "client",
    "results",
    "tools/list",
    { tools: [{ name: "a", title: "A", inputSchema: { type: "object" }, outputSchema: { type: "object" } }] },
    { tools: [{ name: "a", title: "A", inputSchema: { type: "object" }, annotations: { title: "A" } }] },
  ],
  [
    "choices with titles become two lists",
    "2026-07-28",
    "2025-06-18",
    "server",
    "params",
    "elicitation/create",
    { message: "?", requestedSchema: { type: "object", properties: { c: { type: "string", oneOf: [{ const: "r", title: "Red" }] } } } },
    { message: "?", requestedSchema: { type: "object", properties: { c: { type: "string", enum: ["r"], enumNames: ["Red"] } } } },
  ],
  [
    "completions end at a hundred",
    "2025-11-25",
    "2026-07-28",
    "client",
    "results",
    "completion/complete",
    { completion: { values: Array.from({ length: 101 }, () => "v"), total: 101 } },
    { completion: { values: Array.from({ length: 100 }, () => "v"), total: 101, hasMore: true }, resultType: "complete" },
  ],
  [
    "results get their kind and cache hints",
    "2024-11-05",
    "2026-07-28",
    "client",
    "results",
    "resources/read",
    { contents: [] },
    { contents: [], resultType: "complete", ttlMs: 0, cacheScope: "private" },
  ],
];

test.each(table)("%s (%s to %s)", (_, from, to, sender, part, method, value, expected) => {
  expect(conversions.between(from, to)?.(sender, part, method)?.(value)).toEqual(expected);
});

test("a URL elicitation gets an id", () => {
  const ask = { mode: "url", message: "?", url: "https://example.com" };
  const convert = conversions.between("2026-07-28", "2025-11-25")?.("server", "params", "elicitation/create");
  expect(convert?.(ask)).toEqual({ ...ask, elicitationId: expect.stringMatching(/^[\da-f-]{36}$/) as string });
});

test.each<[string, string, string, Side, ConvertedPart, string, unknown, string]>([
  [
    "a method",
    "2025-11-25",
    "2026-07-28",
    "client",
    "params",
    "ping",
    {},
    "ping of 2025-11-25 cannot be converted to 2026-07-28. Send another request: every server supports `server/discover`.",
  ],
  [
    "a method, two steps away",
    "2026-07-28",
    "2024-11-05",
    "server",
    "params",
    "elicitation/create",
    { message: "?", requestedSchema: { type: "object", properties: {} } },
    "elicitation/create of 2025-06-18 cannot be converted to 2025-03-26. Ask for the values as arguments of the tool.",
  ],
  [
    "a list of blocks",
    "2026-07-28",
    "2025-06-18",
    "server",
    "params",
    "sampling/createMessage",
    { messages: [{ role: "user", content: { type: "text", text: "" } }, { role: "user", content: [] }], maxTokens: 1 },
    "sampling/createMessage: params.messages[1].content of 2025-11-25 cannot be converted to 2025-06-18. Use one content block per message.",
  ],
  [
    "a question with several choices",
    "2025-11-25",
    "2025-06-18",
    "server",
    "params",
    "elicitation/create",
    { message: "?", requestedSchema: { type: "object", properties: { m: { type: "array", items: { type: "string", enum: [] } } } } },
    "elicitation/create: params.requestedSchema.properties.m of 2025-11-25 cannot be converted to 2025-06-18. Ask for one choice at a time, or use one boolean per choice.",
  ],
  [
    "a result that is a task",
    "2025-11-25",
    "2026-07-28",
    "client",
    "results",
    "tools/call",
    { task: {} },
    "tools/call: result of 2025-11-25 cannot be converted to 2026-07-28. Send the request without `task`: the response is then the method's own result.",
  ],
  [
    "a cancellation of nothing",
    "2025-11-25",
    "2025-06-18",
    "client",
    "notifications",
    "notifications/cancelled",
    {},
    "notifications/cancelled: params.requestId of 2025-11-25 cannot be converted to 2025-06-18. Set `requestId`; use `tasks/cancel` to cancel a task.",
  ],
])("rejects %s with method, path, both revisions and remedy", (_, from, to, sender, part, method, value, message) => {
  expect(() => conversions.between(from, to)?.(sender, part, method)?.(value)).toThrow(new ConversionError(...explained(message)));
});

/** The parts of an error message. */
function explained(message: string): [string, string, string, string, string] {
  const [, method = "", path = "", from = "", to = "", instead = ""] =
    /^(\S+?)(?:: (\S+))? of (\S+) cannot be converted to (\S+?)\. (.*)$/.exec(message) ?? [];
  return [method, path, from, to, instead];
}

test.each<[string, unknown]>([
  ["a value that is not an object", 5],
  ["null", null],
  ["lists instead of objects", { messages: [[null, 1, "a"]], content: [[[]]], tools: [null], completion: [] }],
  ["objects instead of lists", { messages: {}, content: {}, tools: { 0: {} }, completion: { values: {} } }],
  ["null everywhere", { completion: null, tools: [{ inputSchema: null, outputSchema: null, annotations: null, title: "a" }] }],
  ["nested null", { tools: [{ inputSchema: { properties: null }, outputSchema: { type: "object", properties: 1 } }] }],
  ["nonsense in a form", { requestedSchema: { properties: { a: { type: "string", oneOf: 1 }, b: { type: "string", oneOf: [null] } } } }],
])("converts %s to an equally invalid value without throwing", (_, value) => {
  for (const [from, to] of pairs)
    for (const { sender, part, method } of messages.get(from) ?? []) {
      try {
        conversions.between(from, to)?.(sender, part, method)?.(value);
      } catch (error) {
        expect(error).toBeInstanceOf(ConversionError);
      }
    }
});

test("treats keys of maps as data", () => {
  const convert = conversions.between("2025-11-25", "2025-06-18")?.("server", "params", "elicitation/create");
  const choice = { type: "string", oneOf: [{ const: "a", title: "A" }] };
  const properties = JSON.parse(`{"__proto__": ${JSON.stringify(choice)}, "constructor": ${JSON.stringify(choice)}}`) as object;
  const converted = convert?.({ message: "", requestedSchema: { type: "object", properties } });
  const named = { type: "string", enum: ["a"], enumNames: ["A"] };
  expect(JSON.stringify(converted)).toBe(
    `{"message":"","requestedSchema":{"type":"object","properties":{"__proto__":${JSON.stringify(named)},"constructor":${JSON.stringify(named)}}}}`,
  );
});

test("returns no conversion between revisions that no steps connect", () => {
  expect(conversions.between("2026-07-28", "2027-01-01")).toBeUndefined();
  expect(conversions.between("2026-07-28", "2026-07-28")?.("client", "params", "tools/call")).toBeUndefined();
});

test("recognizes errors of the conversions in the server bundle by the class of this package", () => {
  const { options } = new Server({ name: "server", version: "1.0.0" });
  const convert = options.conversions?.between("2025-11-25", "2025-06-18")?.("server", "params", "tasks/list");
  expect(() => convert?.({})).toThrow(ConversionError);
  expect(new Error("tasks/list")).not.toBeInstanceOf(ConversionError);
});

test("exports the losses as types too", () => {
  type Lost = DownLosses["client"]["results"]["tools/call"][number];
  expectTypeOf<Lost["at"]>().toEqualTypeOf<
    "InputRequiredResult" | "Result.resultType" | "CallToolResult.content" | "CallToolResult.structuredContent"
  >();
  expectTypeOf<Lost["kind"]>().toEqualTypeOf<"refuse" | "drop" | "function">();
  expectTypeOf<keyof DownLosses["server"]["results"]>().toEqualTypeOf<"sampling/createMessage">();
});

test("the steps can be combined with a step of another copy of the generated code", () => {
  const rows = { params: {}, notifications: {} };
  const refusing = (value: unknown): unknown => {
    refuseMember(value as object as Readonly<Record<string, unknown>>, "price", false, "State a price.");
    return value;
  };
  const own: ConversionStep = {
    from: "2026-07-28",
    to: "2031-01-01",
    client: { ...rows, results: { "tools/list": refusing } },
    server: { ...rows, results: {} },
  };
  const convert = conversionsOf([...conversionSteps, own]).between("2025-11-25", "2031-01-01");
  expect(() => convert?.("client", "results", "tools/list")?.({ tools: [] })).toThrow(
    new ConversionError("tools/list", "result.price", "2026-07-28", "2031-01-01", "State a price."),
  );
});
