import { describe, expect, test } from "vitest";
import type { OverlayFile } from "../../../../generator/shared/model/overlay.js";
import { problems } from "../../shared/diagnostics/problems.js";
import { build, spec } from "./build.js";

const frame =
  'type ClientRequest = FooRequest; interface FooRequest { method: "foo"; params: FooRequestParams } interface FooRequestParams { task?: string; name: string; cursor?: string }';

/** The request `foo` of a schema that has no other. */
const foo = (schema: string, own: OverlayFile = {}, request = frame) =>
  build(`${request}\n${schema}`, { own }).model.requests[0];

describe("a request is linked to its result", () => {
  test.each<[what: string, schema: string, own: OverlayFile, result: object]>([
    ["by the name FooResult", "interface FooResult {}", {}, { kind: "single", type: "FooResult" }],
    [
      "by the result of FooResultResponse",
      "interface FooResultResponse { result: Other } interface Other {} interface FooResult {}",
      {},
      { kind: "single", type: "Other" },
    ],
    [
      "by an inherited result of FooResultResponse",
      "interface FooResultResponse extends R {} interface R { result: Other } interface Other {}",
      {},
      { kind: "single", type: "Other" },
    ],
    [
      "by the overlay",
      "interface Empty {}",
      { results: { FooRequest: { result: "Empty", spec } } },
      { kind: "single", type: "Empty" },
    ],
  ])("%s", (_, schema, own, result) => expect(foo(schema, own)?.result).toEqual(result));

  test.each<[what: string, schema: string, own: OverlayFile, expected: string]>([
    ["no rule finds one", "", {}, "s.ts:1:44 result-missing: no result type found for FooRequest"],
    [
      "the overlay names an unknown type",
      "",
      { results: { FooRequest: { result: "Nope", spec } } },
      "s.ts:1:44 result-missing: no result type found for FooRequest",
    ],
    [
      "FooResultResponse has an inline result",
      "interface FooResultResponse { result: { a: 1 } }",
      {},
      "s.ts:1:44 result-missing: no result type found for FooRequest",
    ],
    [
      "two results have no tag",
      "interface FooResultResponse { result: A | B } interface A { a: 1 } interface B { b: 1 }",
      {},
      "s.ts:1:44 result-missing: no result type found for FooRequest",
    ],
  ])("which is an error when %s", (_, schema, own, expected) => {
    expect(problems(() => foo(schema, own))).toEqual([expected]);
  });
});

test("of several results without a tag, takes the one with its name and reports the others", () => {
  const { model, findings } = build(
    `${frame} interface FooResultResponse { result: Ask | FooResult } interface FooResult { a: 1 } interface Ask { b: 1 }`,
    { own: { methods: { client: { foo: { capability: null, spec } } } } },
  );
  expect(model.requests[0]?.result).toEqual({ kind: "single", type: "FooResult" });
  expect(findings).toEqual([
    "s.ts:1:44 result-alternative-unstated: FooRequest also has the results Ask, and no overlay states how to distinguish them",
  ]);
});

test("a union of messages that no side sends is a finding unless the overlay says that they are embedded in results", () => {
  const schema = `${frame} interface FooResult {} type Inner = Q | R; interface Q { method: "q" } interface QResult {} interface R { method: "r" } interface RResult {} type Answer = QResult | RResult;`;
  const methods = { client: { foo: { capability: null, spec } } };
  const server = { q: { capability: null, spec }, r: { capability: null, spec } };
  const inBand = { requests: "Inner", answers: "Answer", spec };
  expect(build(schema, { own: { methods } }).findings).toEqual([
    "s.ts:1:203 in-band-unstated: Inner lists messages that no side sends as requests: Q, R",
  ]);
  expect(build(schema, { own: { methods: { ...methods, server }, inBand } }).findings).toEqual([]);
});

describe("alternatives of a result", () => {
  const tag = { member: "kind", own: "done", alternatives: { ask: { type: "Ask", atLeastOneOf: ["question"] } }, spec };
  const results =
    "interface FooResultResponse { result: Ask | FooResult } interface FooResult { kind: string } interface Ask { kind: string; question?: string }";

  test("are selected by the result tag, for the methods that have them", () => {
    const { model } = build(
      `${results} interface BarRequest { method: "bar" } interface BarResult {} type ClientRequest = FooRequest | BarRequest; interface FooRequest { method: "foo" }`,
      { own: { resultTag: tag } },
    );
    expect(model.requests.map(({ method, result }) => [method, result])).toEqual([
      ["foo", { kind: "tagged", type: "FooResult", alternatives: ["ask"] }],
      ["bar", { kind: "single", type: "BarResult" }],
    ]);
    expect(model.resultTag).toEqual({
      member: "kind",
      own: "done",
      alternatives: [{ value: "ask", type: "Ask", atLeastOneOf: ["question"] }],
    });
  });

  test("are selected by the presence of a member if the request carries one", () => {
    const alternative = { type: "Task", member: "task", onlyWith: "task" };
    const own = { methods: { client: { foo: { capability: null, alternative, spec } } } };
    expect(foo("interface FooResult {} interface Task { task: string }", own)?.result).toEqual({
      kind: "presence",
      type: "FooResult",
      alternative: "Task",
      member: "task",
      onlyWith: "task",
    });
  });
});

describe("a request is paged", () => {
  const params = (member: string): string =>
    `type ClientRequest = FooRequest; interface FooRequest { method: "foo"; params?: P } interface P { ${member} }`;
  test.each<[what: string, request: string, result: string, pages: string | undefined]>([
    [
      "if it has cursor and the result has nextCursor",
      params("cursor?: string"),
      "nextCursor?: string; items: string[]",
      "items",
    ],
    ["not without cursor", params("after?: string"), "nextCursor?: string; items: string[]", undefined],
    ["not without nextCursor", params("cursor?: string"), "items: string[]", undefined],
    [
      "not with two lists",
      params("cursor?: string"),
      "nextCursor?: string; items: string[]; others: string[]",
      undefined,
    ],
    ["not without a list", params("cursor?: string"), "nextCursor?: string; items: string", undefined],
  ])("%s", (_, request, result, pages) =>
    expect(foo(`interface FooResult { ${result} }`, {}, request)?.pages).toBe(pages),
  );
});

test("reports a page with two lists as a finding", () => {
  const schema =
    'type ClientRequest = FooRequest; interface FooRequest { method: "foo"; params?: P } interface P { cursor?: string }\ninterface FooResult { nextCursor?: string; items: string[]; others: string[] }';
  const paged = (more: object) =>
    build(schema, { own: { methods: { client: { foo: { capability: null, spec, ...more } } } } });
  expect(paged({}).findings).toEqual([
    "s.ts:2:11 pages-unstated: FooResult is a page with several lists (items, others); no overlay states which list contains the items",
  ]);
  expect(paged({ pages: "others" })).toMatchObject({ findings: [], model: { requests: [{ pages: "others" }] } });
});

test.each([
  ["overlay-stale", "itmes", "nextCursor?: string; items: string[]"],
  ["overlay-stale", "itmes", "nextCursor?: string; items: string[]; others: string[]"],
  ["overlay-stale", "items", "items: string[]"],
  ["overlay-redundant", "items", "nextCursor?: string; items: string[]"],
])("%s: pages %s of a result with { %s }", (id, pages, result) => {
  const schema = `type ClientRequest = FooRequest; interface FooRequest { method: "foo"; params?: P } interface P { cursor?: string } interface FooResult { ${result} }`;
  const own = { methods: { client: { foo: { capability: null, spec, pages } } } };
  expect(problems(() => build(schema, { own }))).toEqual([
    expect.stringMatching(`${id}: .*methods.client.foo: pages ${pages}`),
  ]);
});

test.each<[result: string, cacheable: true | undefined]>([
  ["ttlMs: number; cacheScope: string", true],
  ["ttlMs: number", undefined],
  ["cacheScope: string", undefined],
])("a result with { %s } is cacheable: %s", (result, cacheable) =>
  expect(foo(`interface FooResult { ${result} }`)?.cacheable).toBe(cacheable),
);

describe("params", () => {
  const request = (params: string): string =>
    `type ClientRequest = FooRequest;\ninterface FooRequest { method: "foo"; ${params} }`;
  test.each<[what: string, params: string, type: string | undefined, optional: boolean]>([
    ["required", "params: P", "P", false],
    ["optional", "params?: P", "P", true],
    ["none", "", undefined, true],
    ["any object", "params: { [key: string]: unknown }", "FooRequestParams", false],
    ["a record", "params?: Record<string, unknown>", undefined, true],
    ["a named union of objects", "params: U", "U", false],
  ])("%s", (_, params, type, optional) => {
    const schema = "interface FooResult {} interface P { a: 1 } interface Q { b: 1 } type U = P | Q;";
    expect(foo(schema, {}, request(params))).toMatchObject({
      ...(type !== undefined && { params: type }),
      paramsOptional: optional,
    });
    expect(foo(schema, {}, request(params))?.params).toBe(type);
  });

  test.each(["params: string", "params: string[]", "params: N", "params: M", "params?: null", "params: P | P[]"])(
    "rejects %s",
    (params) => {
      expect(
        problems(() =>
          foo("interface FooResult {} type N = number; type M = P | string; interface P {}", {}, request(params)),
        ),
      ).toEqual(["s.ts:2:11 params-not-object: the params of FooRequest are not an object type"]);
    },
  );
});

describe("the overlay's facts about a method", () => {
  const capabilities = "interface ServerCapabilities { foo?: { sub?: {} } }";
  const declared = { server: { foo: { spec }, "foo.sub": { spec } } };

  test("are in the model", () => {
    const when = [{ member: "name", values: ["x"], capability: "server.foo.sub" }];
    const fact = {
      capability: "server.foo",
      when,
      routedBy: "name",
      stream: { acknowledged: "opened" },
      spec: "server/foo#calling",
    };
    const own = {
      specification: "https://s/",
      capabilities: declared,
      methods: { client: { foo: fact }, server: { opened: { capability: null, spec } } },
    };
    const schema = `interface FooResult {} ${capabilities} type ServerNotification = Opened; interface Opened { method: "opened" }`;
    const { model, findings } = build(`${frame} ${schema}`, { own });
    expect(findings).toEqual([]);
    expect(model.requests).toEqual([
      {
        method: "foo",
        type: "FooRequest",
        params: "FooRequestParams",
        paramsOptional: false,
        sender: "client",
        capability: "server.foo",
        conditions: when,
        result: { kind: "single", type: "FooResult" },
        routedBy: "name",
        stream: { acknowledged: "opened" },
        link: "https://s/server/foo#calling",
      },
    ]);
    expect(model.notifications).toEqual([
      {
        method: "opened",
        type: "Opened",
        paramsOptional: true,
        sender: "server",
        capability: null,
        link: "https://s/x",
      },
    ]);
    expect(model.capabilities).toEqual({
      client: [],
      server: [
        { path: "foo", link: "https://s/x" },
        { path: "foo.sub", link: "https://s/x" },
      ],
    });
  });

  test("are separate for each direction", () => {
    const schema = `${capabilities} type ClientRequest = Foo; type ServerRequest = Foo; interface Foo { method: "foo" } interface FooResult {}`;
    const methods = {
      client: { foo: { capability: "server.foo", spec } },
      server: { foo: { capability: null, spec } },
    };
    expect(
      build(schema, { own: { capabilities: declared, methods } }).model.requests.map(({ sender, capability }) => [
        sender,
        capability,
      ]),
    ).toEqual([
      ["client", "server.foo"],
      ["server", null],
    ]);
  });
});

describe("a request that is embedded in results", () => {
  const schema = `
    type ClientRequest = FooRequest; interface FooRequest { method: "foo" } interface FooResult {}
    interface AskRequest { method: "ask"; params: AskParams } interface AskParams { mode?: string } interface AskResult {}
    interface ListRequest { method: "list" } interface ListResult {}
    type InputRequest = AskRequest | ListRequest; type InputResponse = AskResult | ListResult;
    interface ClientCapabilities { ask?: { url?: {} } }`;
  const own: OverlayFile = {
    inBand: { requests: "InputRequest", answers: "InputResponse", spec },
    capabilities: { client: { ask: { spec }, "ask.url": { spec } } },
    methods: {
      client: { foo: { capability: null, spec } },
      server: {
        ask: {
          capability: "client.ask",
          when: [{ member: "mode", values: ["url"], capability: "client.ask.url" }],
          spec,
        },
        list: { capability: null, spec },
      },
    },
  };

  test("is not a wire method, although it has a method literal", () => {
    const { model, findings } = build(schema, { own });
    expect(findings).toEqual([]);
    expect(model.requests.map(({ method }) => method)).toEqual(["foo"]);
    expect(model.inputRequests).toEqual([
      {
        method: "ask",
        type: "AskRequest",
        params: "AskParams",
        paramsOptional: false,
        capability: "client.ask",
        conditions: own.methods?.server?.["ask"]?.when,
        result: "AskResult",
        link: "x",
      },
      {
        method: "list",
        type: "ListRequest",
        paramsOptional: true,
        capability: null,
        conditions: [],
        result: "ListResult",
        link: "x",
      },
    ]);
  });

  test("is unknown without the overlay", () => {
    expect(build(schema).model).toMatchObject({ requests: [{ method: "foo" }], inputRequests: [] });
  });

  test("can need only a capability that the schema declares", () => {
    const methods = { ...own.methods, server: { ...own.methods?.server, ask: { capability: "client.nope", spec } } };
    expect(
      problems(() => build(schema, { own: { ...own, methods } })).map((found) => found.replace(/:\d+:\d+/, "")),
    ).toEqual(["r2.json overlay-stale: methods.server.ask: capability client.nope matches nothing in the schema"]);
  });
});
