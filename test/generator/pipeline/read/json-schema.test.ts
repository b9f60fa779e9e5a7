import { describe, expect, test } from "vitest";
import { readJsonSchema } from "../../../../generator/pipeline/read/json-schema.js";
import { declarations } from "./declarations.js";

const string = { kind: "primitive", name: "string" };
const number = { kind: "primitive", name: "number" };
const unknown = { kind: "primitive", name: "unknown" };
const nothing = { kind: "primitive", name: "null" };
const literal = (value: string | number | boolean): object => ({ kind: "literal", value });
const reference = (name: string): object => ({ kind: "reference", name });
const member = (name: string, type: object, more: object = {}): object => ({ name, optional: true, type, ...more });
const union = (...members: object[]): object => ({ kind: "union", members });

describe.each(["definitions", "$defs"])("in %s", (container) => {
  const read = (schema: object): unknown =>
    declarations(readJsonSchema(JSON.stringify({ [container]: { A: schema } }), "s.json"));

  describe("a schema is an alias of a type", () => {
    test.each<[what: string, schema: object, type: object]>([
      ["string", { type: "string" }, string],
      ["number", { type: "number" }, number],
      ["integer", { type: "integer" }, { kind: "primitive", name: "integer" }],
      ["boolean", { type: "boolean" }, { kind: "primitive", name: "boolean" }],
      ["null", { type: "null" }, nothing],
      ["anything", {}, unknown],
      ["anything, described", { description: "Text.", title: "T", $comment: "c", examples: [1], default: 1 }, unknown],
      ["a reference", { $ref: `#/${container}/B` }, reference("B")],
      ["a reference with escapes", { $ref: `#/${container}/a~1b~0c` }, reference("a/b~c")],
      ["a constant", { const: "a", type: "string" }, literal("a")],
      ["a constant number", { const: -1 }, literal(-1)],
      ["a constant null", { const: null }, nothing],
      ["an enumeration", { enum: ["a", "b"], type: "string" }, union(literal("a"), literal("b"))],
      [
        "an enumeration of mixed types",
        { enum: ["a", 1, true, null] },
        union(literal("a"), literal(1), literal(true), nothing),
      ],
      ["an enumeration of one", { enum: ["a"] }, literal("a")],
      ["a type list", { type: ["string", "null"] }, union(string, nothing)],
      ["a type list of one", { type: ["string"] }, string],
      ["an array", { type: "array", items: { type: "string" } }, { kind: "array", items: string }],
      ["an array of any values", { type: "array" }, { kind: "array", items: unknown }],
      ["anyOf", { anyOf: [{ type: "string" }, { $ref: `#/${container}/B` }] }, union(string, reference("B"))],
      [
        "anyOf in anyOf",
        { anyOf: [{ anyOf: [{ type: "string" }, { type: "number" }] }, { type: "null" }] },
        union(union(string, number), nothing),
      ],
      ["anyOf of one", { anyOf: [{ type: "string" }] }, string],
      [
        "allOf",
        { allOf: [{ $ref: `#/${container}/B` }, { $ref: `#/${container}/C` }] },
        { kind: "intersection", members: [reference("B"), reference("C")], exact: true },
      ],
      [
        "any object, as the official printer writes it",
        { type: "object", properties: {}, additionalProperties: true },
        { kind: "primitive", name: "object" },
      ],
    ])("%s", (_, schema, type) => {
      const text = "description" in schema ? { text: "Text." } : {};
      expect(read(schema)).toEqual([{ kind: "alias", name: "A", ...text, type }]);
    });
  });

  describe("an object schema is an interface", () => {
    test.each<[what: string, schema: object, expected: object]>([
      ["without members", {}, { members: [] }],
      ["with empty properties", { properties: {} }, { members: [] }],
      [
        "with optional and required members",
        { properties: { a: { type: "string" }, b: { type: "number" } }, required: ["b"] },
        { members: [member("a", string), member("b", number, { optional: false })] },
      ],
      [
        "with a required member that has no property",
        { properties: { a: {} }, required: ["z"] },
        { members: [member("a", unknown), member("z", unknown, { optional: false })] },
      ],
      [
        "with a required member that has the type of additional members",
        { required: ["z"], additionalProperties: { type: "number" } },
        { members: [member("z", number, { optional: false })], index: number },
      ],
      ["with additional members of any type", { additionalProperties: {} }, { members: [], index: unknown }],
      [
        "with listed and additional members",
        { properties: { a: {} }, additionalProperties: true },
        { members: [member("a", unknown)], index: unknown },
      ],
      ["that maps to a type", { additionalProperties: { type: "string" } }, { members: [], index: string }],
      [
        "with nested objects",
        { properties: { a: { type: "object", properties: { b: { type: "string" } }, required: ["b"] } } },
        { members: [member("a", { kind: "object", members: [member("b", string, { optional: false })] })] },
      ],
    ])("%s", (_, schema, expected) =>
      expect(read({ type: "object", ...schema })).toEqual([
        { kind: "interface", name: "A", heritage: [], ...expected },
      ]),
    );
  });

  describe("a member keeps", () => {
    const uri = { ...string, tags: { format: "uri" } };
    test.each<[what: string, schema: object, expected: object]>([
      ["its text", { description: " Text.\n", type: "string" }, member("m", string, { text: "Text." })],
      ["its deprecation", { deprecated: true, type: "string" }, member("m", string, { tags: { deprecated: "" } })],
      ["its format", { type: "string", format: "uri" }, member("m", string, { tags: { format: "uri" } })],
      [
        "its bounds",
        { type: "number", minimum: 0, maximum: 1 },
        member("m", number, { tags: { minimum: 0, maximum: 1 } }),
      ],
      [
        "its length",
        { type: "array", minItems: 1, maxItems: 2 },
        member("m", { kind: "array", items: unknown }, { tags: { minItems: 1, maxItems: 2 } }),
      ],
      [
        "the format of its items",
        { type: "array", items: { type: "string", format: "uri" }, maxItems: 2 },
        member("m", { kind: "array", items: uri }, { tags: { maxItems: 2 } }),
      ],
      [
        "the format of an alternative",
        { anyOf: [{ type: "string", format: "uri" }, { type: "string" }] },
        member("m", union(uri, string)),
      ],
      [
        "the format of nested type lists",
        { anyOf: [{ type: ["string", "null"], format: "uri" }, {}] },
        member("m", union(union(uri, { ...nothing, tags: { format: "uri" } }), unknown)),
      ],
      [
        "the format of map values",
        { type: "object", additionalProperties: { type: "string", format: "uri" } },
        member("m", { kind: "object", members: [], index: uri }),
      ],
    ])("%s", (_, schema, expected) =>
      expect(read({ type: "object", properties: { m: schema } })).toEqual([
        { kind: "interface", name: "A", heritage: [], members: [expected] },
      ]),
    );
  });
});

test("`x-…` keywords of definitions and members, and defaults of members, are facts", () => {
  const member = { type: "string", default: "a", "x-unit": { of: ["ms"] } };
  const schema = {
    definitions: {
      A: { type: "object", "x-order": 1, properties: { m: member } },
      B: { $ref: "#/definitions/A", "x-b": null },
    },
  };
  expect(readJsonSchema(JSON.stringify(schema), "s.json").declarations).toMatchObject([
    {
      name: "A",
      annotations: { "x-order": 1 },
      members: [{ default: "a", annotations: { "x-unit": { of: ["ms"] } } }],
    },
    { name: "B", annotations: { "x-b": null }, type: { kind: "reference" } },
  ]);
});

test("definitions inside a definition have names that begin with its name", () => {
  const inner = {
    $defs: { leaf: { anyOf: [{ type: "null" }, { type: "array", items: { $ref: "#/$defs/leaf" } }] } },
    $ref: "#/$defs/A/$defs/leaf",
  };
  expect(declarations(readJsonSchema(JSON.stringify({ $defs: { A: inner } }), "s.json"))).toEqual([
    { kind: "alias", name: "A", type: reference("ALeaf") },
    { kind: "alias", name: "ALeaf", type: union(nothing, { kind: "array", items: reference("ALeaf") }) },
  ]);
});

test("references to definitions of other files are imports", () => {
  const text = JSON.stringify({
    $defs: {
      A: { anyOf: [{ $ref: "b.json#/$defs/A" }, { $ref: "b.json#/definitions/B" }, { $ref: "b.json#/$defs/A" }] },
    },
  });
  const module = readJsonSchema(text, "s.json");
  expect(module.imports?.map(({ name, local, specifier }) => [name, local, specifier])).toEqual([
    ["A", "A_", "b.json"],
    ["B", "B", "b.json"],
  ]);
  expect(declarations(module)).toEqual([
    { kind: "alias", name: "A", type: union(reference("A_"), reference("B"), reference("A_")) },
  ]);
});

describe("names are data", () => {
  test.each([
    ["names of the prototype", ["__proto__", "constructor", "toString", "hasOwnProperty"]],
    ["names with slashes, tildes, quotes and spaces", ["a/b", "a~b", "a~1b", 'a"b', "a b", ""]],
    ["names in other scripts", ["größe", "名前", "😀", "\u2028"]],
  ])("%s", (_, names) => {
    const entries = (value: string): string => names.map((name) => `${JSON.stringify(name)}: ${value}`).join(",");
    const properties = `{"type": "object", "properties": {${entries('{"type": "string"}')}}, "required": ${JSON.stringify(names)}}`;
    const module = readJsonSchema(`{"definitions": {${entries(properties)}}}`, "s.json");
    const members = names.map((name) => member(name, string, { optional: false }));
    expect(declarations(module)).toEqual(names.map((name) => ({ kind: "interface", name, heritage: [], members })));
  });
});

test("has the positions of definitions, members and references", () => {
  const text =
    '{\n  "definitions": {\n    "A": {\n      "type": "object",\n      "properties": {\n        "b": { "$ref": "#/definitions/B" }\n      }\n    }\n  }\n}';
  const at = (line: number, column: number): object => ({ file: "s.json", line, column });
  for (const source of [text, text.replaceAll("\n", "\r\n"), `\uFEFF${text}`]) {
    expect(readJsonSchema(source, "s.json")).toMatchObject({
      syntax: "json-schema",
      file: "s.json",
      declarations: [{ span: at(3, 10), members: [{ span: at(6, 14), type: { span: at(6, 24) } }] }],
    });
  }
});

test("`$defs` take precedence over `definitions`; other keywords next to them are not read", () => {
  const text = JSON.stringify({ $schema: "x", definitions: { A: {} }, $defs: { B: {} }, anyOf: [{ not: {} }] });
  expect(declarations(readJsonSchema(text, "s.json"))).toEqual([{ kind: "alias", name: "B", type: unknown }]);
});
