import { describe, expect, test } from "vitest";
import { apiOf, describing, type Json, operation } from "./descriptions.js";

const parametersOf = async (parameters: readonly Json[], path = "/a") =>
  (await apiOf(describing({ [path]: { get: operation({ parameters }) } }))).model.operations[0]?.parameters ?? [];

describe("names of tools", () => {
  const toolsOf = async (paths: Json): Promise<readonly string[]> =>
    (await apiOf(describing(paths))).model.operations.map(({ tool }) => tool);

  test("of the operation id, or else of method and path", async () => {
    const id = (operationId: string): Json => ({ get: operation({ operationId }) });
    const paths = {
      "/1": id("getPetById"),
      "/2": id("repos/get-content"),
      "/3": id("日本"),
      "/4": { get: operation() },
      "/users/{id}/keys": { parameters: [{ name: "id", in: "path", required: true, schema: {} }], get: operation() },
    };
    expect(await toolsOf(paths)).toEqual([
      "get_pet_by_id",
      "repos_get_content",
      "get_3",
      "get_4",
      "get_users_by_id_keys",
    ]);
  });

  test("equal ones get numbers; long ones are cut", async () => {
    const paths = {
      "/1": { get: operation({ operationId: "getPet" }) },
      "/2": { get: operation({ operationId: "get_pet" }) },
      "/3": { get: operation({ operationId: "x".repeat(200) }) },
      "/4": { get: operation({ operationId: "x".repeat(300) }) },
    };
    const tools = await toolsOf(paths);
    expect(tools).toEqual(["get_pet", "get_pet_2", "x".repeat(60), `${"x".repeat(58)}_2`]);
  });
});

describe("parameters", () => {
  test("arguments have names that hosts accept, each once", async () => {
    const names = ["filter[x]", "filter.x", "id", "$top", "__proto__"].map((name) => ({
      name,
      in: "query",
      schema: {},
    }));
    const parameters = await parametersOf([...names, { name: "id", in: "header", schema: {} }]);
    expect(parameters.map(({ argument }) => argument)).toEqual([
      "filter_x",
      "filter_x_2",
      "id",
      "top",
      "proto",
      "id_2",
    ]);
    for (const { argument } of parameters) expect(argument).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  test("those of an operation replace those of its path; headers of the request itself are left out", async () => {
    const ofPath = { name: "a", in: "query", description: "path", schema: {} };
    const own = [
      { ...ofPath, description: "operation" },
      { name: "Authorization", in: "header", schema: {} },
    ];
    const { model } = await apiOf(describing({ "/a": { parameters: [ofPath], get: operation({ parameters: own }) } }));
    expect(model.operations[0]?.parameters).toMatchObject([{ name: "a", description: "operation" }]);
  });

  test.each<[Json, object | undefined]>([
    [{ in: "query" }, undefined],
    [{ in: "query", explode: false }, { explode: false }],
    [{ in: "query", style: "deepObject", explode: true }, { style: "deepObject" }],
    [{ in: "query", style: "pipeDelimited" }, { style: "pipeDelimited" }],
    [{ in: "header", explode: true }, { explode: true }],
    [{ in: "query", content: { "application/json": { schema: {} } } }, { json: true }],
  ])("%j is written with %j", async (parameter, style) => {
    const [read] = await parametersOf([{ name: "a", ...(!("content" in parameter) && { schema: {} }), ...parameter }]);
    expect(read?.style).toEqual(style);
  });
});

describe("credentials", () => {
  const securitySchemes = {
    key: { type: "apiKey", in: "header", name: "X-Key" },
    token: { type: "http", scheme: "bearer" },
    login: { type: "http", scheme: "basic" },
    service: {
      type: "oauth2",
      flows: { clientCredentials: { tokenUrl: "https://auth.example.com/token", scopes: { read: "" } } },
    },
    certificate: { type: "mutualTLS" },
  };

  test("each scheme that is used has variables", async () => {
    const security = ["key", "token", "login", "service"].map((name) => ({ [name]: [] }));
    const { model } = await apiOf(
      describing({ "/a": { get: operation({ security }) } }, { components: { securitySchemes } }),
    );
    expect(model.schemes.map(({ credentials }) => credentials)).toEqual([
      { kind: "apiKey", in: "header", name: "X-Key", variable: "KEY" },
      { kind: "bearer", variable: "TOKEN" },
      { kind: "basic", user: "LOGIN_USER", password: "LOGIN_PASSWORD" },
      {
        kind: "clientCredentials",
        id: "SERVICE_CLIENT_ID",
        secret: "SERVICE_CLIENT_SECRET",
        tokenUrl: "https://auth.example.com/token",
        scopes: ["read"],
      },
    ]);
  });

  test("ways that need something else are left out; an operation can need nothing", async () => {
    const description = describing(
      { "/a": { get: operation(), post: operation({ security: [] }) } },
      { security: [{ certificate: [] }, { key: [], token: [] }], components: { securitySchemes } },
    );
    const { model } = await apiOf(description);
    expect(model.operations.map(({ security }) => security)).toEqual([[["key", "token"]], []]);
  });
});

test.each<[schema: Json, body: object]>([
  [{}, { schema: { type: "object" }, files: [] }],
  [{ type: "string", format: "binary" }, { files: ["file"] }],
  [
    { type: "object", properties: { a: { type: "array", items: { type: "string", format: "binary" } }, b: {} } },
    { files: ["a"] },
  ],
])("a multipart body of %j", async (schema, body) => {
  const post = operation({ requestBody: { content: { "multipart/form-data": { schema } } } });
  const { model } = await apiOf(describing({ "/a": { post } }));
  expect(model.operations[0]?.body).toMatchObject({ kind: "multipart", ...body });
});

describe("results", () => {
  const json = (schema: Json): Json => ({ description: "", content: { "application/json": { schema } } });
  const structured = async (responses: Json): Promise<boolean | undefined> =>
    (await apiOf(describing({ "/a": { get: { responses } } }))).model.operations[0]?.response.isStructured;

  test("are structured only if one schema describes each success", async () => {
    expect(await structured({ "200": json({ type: "object" }), "404": json({}) })).toBe(true);
    expect(await structured({ "200": json({ type: "object" }), "204": { description: "" } })).toBe(false);
    expect(await structured({ "200": json({ type: "object" }), "201": json({ type: "object", title: "x" }) })).toBe(
      true,
    );
    expect(await structured({ "200": json({ type: "object" }), "201": json({ type: "array" }) })).toBe(false);
    expect(await structured({ default: json({ type: "object" }) })).toBe(false);
  });

  test("paging is recognized", async () => {
    const paged = async (names: readonly string[], properties: Json) => {
      const parameters = names.map((name) => ({ name, in: "query", schema: {} }));
      const get = { parameters, responses: { "200": json({ type: "object", properties }) } };
      return (await apiOf(describing({ "/a": { get } }))).model.operations[0]?.nextPage;
    };
    expect(await paged(["cursor"], { next_cursor: {} })).toEqual({
      kind: "member",
      member: ["next_cursor"],
      parameter: "cursor",
    });
    expect(await paged(["page"], { links: { type: "object", properties: { next: {} } } })).toEqual({
      kind: "member",
      member: ["links", "next"],
    });
    expect(await paged(["starting_after"], { data: {}, has_more: {} })).toMatchObject({ kind: "last id" });
    expect(await paged(["page"], { items: {} })).toBeUndefined();
  });
});

test("schemas are bounded, and circles end", async () => {
  const big = (to: readonly string[]): Json => ({
    type: "object",
    properties: {
      ...Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [
          `member${index}`,
          { type: "string", enum: [`value ${index}`.repeat(5)] },
        ]),
      ),
      ...Object.fromEntries(to.map((name) => [name, { $ref: `#/components/schemas/${name}` }])),
    },
  });
  const names = Array.from({ length: 30 }, (_, index) => `Big${index}`);
  const schemas = {
    ...Object.fromEntries(names.map((name) => [name, big(names)])),
    Tree: { type: "object", properties: { children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } } },
  };
  const { responses } = await apiOf(describing({ "/a": { get: operation() } }, { components: { schemas } }));
  expect([...responses.recursive]).toEqual(["Tree"]);
  for (const name of responses.neededBy([{ $ref: "#/schemas/Big0" }])) {
    const needed = responses.neededBy([{ $ref: `#/schemas/${name}` }]);
    expect(needed.reduce((size, one) => size + JSON.stringify(responses.schemas.get(one)).length, 0)).toBeLessThan(
      100_000,
    );
  }
});
