import { describe, expect, test } from "vitest";
import { build, ping, pingMethods, spec } from "./build.js";
import { showDefinition } from "./show.js";

const methods = pingMethods;

describe("integers", () => {
  test.each<[type: string, expected: string]>([
    ["number", "integer"],
    ["string | number", "string | integer"],
    ["string | (number | null)", "string | integer | null"],
  ])("%s becomes %s", (type, expected) => {
    const { model } = build(`${ping} type Id = ${type};`, { own: { methods, integers: { Id: { spec } } } });
    expect(model.definitions.find(({ name }) => name === "Id")).toBeDefined();
    expect(model.definitions.filter(({ name }) => name === "Id").map(showDefinition)).toEqual([expected]);
  });
});

describe("defaults", () => {
  test.each<[what: string, path: string, schema: string, expected: string]>([
    ["of a member", "A.m", "interface A { m?: number }", "{ m?: number = 5 }"],
    [
      "of an inherited member, in every heir",
      "B.m",
      "interface A extends B {} interface B { m?: number }",
      "{ B#m?: number = 5 }",
    ],
    [
      "not of a member that is redeclared",
      "B.m",
      "interface A extends B { m?: 1 } interface B { m?: number }",
      "{ m?: 1 }",
    ],
    ["of a nested member", "A.o.m", "interface A { o: { m?: number } }", "{ o: { m?: number = 5 } }"],
    ["of a member of items", "A.o.m", "interface A { o: { m?: number }[] }", "{ o: { m?: number = 5 }[] }"],
    ["of a name with dots", "A.x.y/z", 'interface A { "x.y/z"?: number }', "{ x.y/z?: number = 5 }"],
  ])("%s", (_, path, schema, expected) => {
    const { model } = build(`${ping} ${schema}`, { own: { methods, defaults: { [path]: { value: 5, spec } } } });
    expect(model.definitions.filter(({ name }) => name === "A").map(showDefinition)).toEqual([expected]);
  });
});

test("limits are listed with their path if the schema has no bound", () => {
  const limits = { "A.o.l": { maxItems: 100, spec }, "A.n": { minLength: 1, maxLength: 128, spec } };
  const { model } = build(`${ping} interface A { o: { l: string[] }; n: string }`, {
    own: { specification: "https://s/", methods, limits },
  });
  expect(model.limits).toEqual([
    { path: "A.o.l", maxItems: 100, link: "https://s/x" },
    { path: "A.n", minLength: 1, maxLength: 128, link: "https://s/x" },
  ]);
});

test("_meta keys come from prefixed members of the schema and from the overlay", () => {
  const schema = `${ping} interface A { "io.x/a"?: string; plain: { "io.x/b": 1; "a/b/c": 1 } }`;
  expect(build(schema, { own: { methods, metaKeys: { traceparent: { spec } } } }).model.metaKeys).toEqual([
    "io.x/a",
    "io.x/b",
    "traceparent",
  ]);
});

test("errors are the negative constants of the schema and the named codes of the overlay", () => {
  const schema = `${ping} const VERSION = "1"; const LIMIT = 0; const PARSE_ERROR = -32700;`;
  const errors = {
    "-32700": { meaning: "No JSON.", httpStatus: 400, spec },
    "-1": { name: "REJECTED", meaning: "The user said no.", spec },
  };
  const { model, findings } = build(schema, { own: { methods, errors } });
  expect(findings).toEqual([]);
  expect(model.errors).toEqual([
    { code: -32700, name: "PARSE_ERROR", declared: true, meaning: "No JSON.", httpStatus: 400, link: "x" },
    { code: -1, name: "REJECTED", declared: false, meaning: "The user said no.", link: "x" },
  ]);
  expect(model.constants.map(({ name, value }) => [name, value])).toEqual([
    ["VERSION", "1"],
    ["LIMIT", 0],
    ["PARSE_ERROR", -32700],
  ]);
});

test("a profile field is a value with its link", () => {
  const { model } = build(ping, {
    own: { specification: "https://s/", methods, profile: { batch: { value: true, spec: "basic#batching" } } },
  });
  expect(model.profile).toEqual([{ field: "batch", value: true, link: "https://s/basic#batching" }]);
});
