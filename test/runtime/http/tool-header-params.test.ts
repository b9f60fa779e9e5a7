import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findHeaderParams, headerParamValue } from "../../../runtime/src/http/tool-header-params.js";

const region = { type: "string", "x-mcp-header": "Region" };
const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });

function problemOf(schema: unknown): string | undefined {
  const found = findHeaderParams(schema);
  return "problem" in found ? found.problem : undefined;
}

describe("annotations of a tool's input schema", () => {
  it.each([
    ["no annotation", object({ a: { type: "string" } }), []],
    ["one", object({ region }), [{ name: "Region", path: ["region"], type: "string" }]],
    [
      "every type, in order",
      object({
        s: region,
        i: { type: "integer", "x-mcp-header": "I" },
        b: { type: "boolean", "x-mcp-header": "B" },
      }),
      [
        { name: "Region", path: ["s"], type: "string" },
        { name: "I", path: ["i"], type: "integer" },
        { name: "B", path: ["b"], type: "boolean" },
      ],
    ],
    [
      "nested objects",
      object({ where: object({ more: object({ region }) }) }),
      [{ name: "Region", path: ["where", "more", "region"], type: "string" }],
    ],
    ["a property with the name of the annotation", object({ "x-mcp-header": { type: "string" } }), []],
    [
      "properties with the names of keywords",
      object({ items: region, properties: object({ allOf: { ...region, "x-mcp-header": "Two" } }) }),
      [
        { name: "Region", path: ["items"], type: "string" },
        { name: "Two", path: ["properties", "allOf"], type: "string" },
      ],
    ],
    [
      "a property with the name __proto__",
      JSON.parse('{"properties":{"__proto__":{"type":"string","x-mcp-header":"P"}}}') as object,
      [{ name: "P", path: ["__proto__"], type: "string" }],
    ],
    [
      "names with all valid characters",
      object({ a: { type: "string", "x-mcp-header": "!#$%&'*+-.^_`|~09azAZ" } }),
      [{ name: "!#$%&'*+-.^_`|~09azAZ", path: ["a"], type: "string" }],
    ],
    [
      "the name of another header",
      object({ a: { ...region, "x-mcp-header": "Method" } }),
      [{ name: "Method", path: ["a"], type: "string" }],
    ],
    ["an annotation inside of a value", object({ a: { type: "object", default: region, enum: [region] } }), []],
    ["an invalid schema", true, []],
    ["invalid properties", { properties: "region" }, []],
  ])("are found: %s", (_name, schema, params) => {
    expect(findHeaderParams(schema)).toEqual({ params });
  });

  it.each<readonly [name: string, schema: object, problem: string]>([
    ["an empty name", object({ a: { ...region, "x-mcp-header": "" } }), '"" is not a valid header name'],
    ["a name with a blank", object({ a: { ...region, "x-mcp-header": "My Region" } }), "is not a valid header name"],
    ["a name with a colon", object({ a: { ...region, "x-mcp-header": "Region:" } }), "is not a valid header name"],
    [
      "a name with a line break",
      object({ a: { ...region, "x-mcp-header": "Region\r\nX: y" } }),
      "is not a valid header name",
    ],
    ["a name with a tab", object({ a: { ...region, "x-mcp-header": "Region\tB" } }), "is not a valid header name"],
    [
      "a name of other characters",
      object({ a: { ...region, "x-mcp-header": "Région" } }),
      "is not a valid header name",
    ],
    ["a name that is not a string", object({ a: { ...region, "x-mcp-header": 5 } }), "5 is not a valid header name"],
    ["a name that is null", object({ a: { ...region, "x-mcp-header": null } }), "null is not a valid header name"],
    ["a name twice", object({ a: region, b: region }), '"Region" is used twice'],
    [
      "a name in two spellings",
      object({ a: region, b: object({ c: { ...region, "x-mcp-header": "REGION" } }) }),
      "is used twice",
    ],
    ["on the root", { ...region, type: "object" }, "must be on a property, not on the schema itself"],
    ["on a number", object({ a: { type: "number", "x-mcp-header": "A" } }), 'type "number"'],
    ["on an object", object({ a: { type: "object", "x-mcp-header": "A" } }), 'type "object"'],
    ["on an array", object({ a: { type: "array", "x-mcp-header": "A" } }), 'type "array"'],
    ["on null", object({ a: { type: "null", "x-mcp-header": "A" } }), 'type "null"'],
    ["on several types", object({ a: { type: ["string", "null"], "x-mcp-header": "A" } }), 'type ["string","null"]'],
    ["on no type", object({ a: { "x-mcp-header": "A" } }), "type undefined"],
    ["on a reference", object({ a: { $ref: "#/$defs/r", "x-mcp-header": "A" } }), "type undefined"],
    ...[
      "items",
      "contains",
      "additionalProperties",
      "not",
      "if",
      "then",
      "else",
      "propertyNames",
      "additionalItems",
      "unevaluatedItems",
      "unevaluatedProperties",
      "contentSchema",
    ].map(
      (keyword) =>
        [`under ${keyword}`, object({ a: { [keyword]: object({ region }) } }), 'through "properties" only'] as const,
    ),
    ...["items", "prefixItems", "allOf", "anyOf", "oneOf"].map(
      (keyword) =>
        [
          `in a list under ${keyword}`,
          object({}, { [keyword]: [{}, object({ region })] }),
          'through "properties" only',
        ] as const,
    ),
    ...["patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"].map(
      (keyword) =>
        [`by name under ${keyword}`, object({}, { [keyword]: { x: region } }), 'through "properties" only'] as const,
    ),
  ])("are rejected: %s", (_name, schema, problem) => {
    expect(problemOf(schema)).toContain(problem);
  });

  it("are found at any depth", () => {
    const nested = (depth: number, key: string): unknown => {
      let schema: unknown = region;
      for (let level = 0; level < depth; level++) schema = { [key]: key === "not" ? schema : { a: schema } };
      return schema;
    };
    expect(findHeaderParams(nested(100, "properties"))).toMatchObject({ params: [{ name: "Region" }] });
    expect(problemOf(nested(100_000, "properties"))).toContain("too deeply");
    expect(problemOf(nested(100_000, "not"))).toContain('through "properties" only');
  });

  it("never throw, for any schema", () => {
    const key = fc.constantFrom(
      "properties",
      "items",
      "allOf",
      "not",
      "$defs",
      "type",
      "x-mcp-header",
      "a",
      "__proto__",
    );
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom<unknown>("string", "integer", "Region", 1, null, true),
        fc.array(tie("schema"), { maxLength: 3 }),
        fc.dictionary(key, tie("schema"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(schema, (one) => {
        const found = findHeaderParams(one);
        if ("problem" in found) return;
        const names = found.params.map(({ name }) => name.toLowerCase());
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});

describe("the value of an annotated argument", () => {
  const at = (type: "string" | "integer" | "boolean", ...path: string[]) => ({ name: "N", path, type }) as const;

  it.each([
    ["a string", at("string", "a"), { a: "x y" }, "x y"],
    ["an empty string", at("string", "a"), { a: "" }, ""],
    ["an integer", at("integer", "a"), { a: 42 }, "42"],
    ["a negative one", at("integer", "a"), { a: -7 }, "-7"],
    ["minus zero", at("integer", "a"), { a: -0 }, "0"],
    ["an integer written with a fraction", at("integer", "a"), JSON.parse('{"a":42.0}') as object, "42"],
    ["the largest safe integer", at("integer", "a"), { a: 2 ** 53 - 1 }, "9007199254740991"],
    ["an integer that prints with an exponent", at("integer", "a"), { a: 1e21 }, "1000000000000000000000"],
    ["true", at("boolean", "a"), { a: true }, "true"],
    ["false", at("boolean", "a"), { a: false }, "false"],
    ["a nested one", at("string", "a", "b", "c"), { a: { b: { c: "x" } } }, "x"],
    [
      "an own property with the name __proto__",
      at("string", "__proto__"),
      JSON.parse('{"__proto__":"x"}') as object,
      "x",
    ],
    ["null", at("string", "a"), { a: null }, undefined],
    ["an empty object", at("string", "a"), {}, undefined],
    ["null on the path", at("string", "a", "b"), { a: null }, undefined],
    ["a missing object on the path", at("string", "a", "b"), {}, undefined],
    ["an array on the path", at("string", "a", "0"), { a: ["x"] }, undefined],
    ["a string on the path", at("string", "a", "length"), { a: "x" }, undefined],
    ["no arguments", at("string", "a"), undefined, undefined],
    ["an inherited property", at("string", "constructor", "name"), {}, undefined],
    ["a number for a string", at("string", "a"), { a: 5 }, undefined],
    ["a string for an integer", at("integer", "a"), { a: "5" }, undefined],
    ["a fraction for an integer", at("integer", "a"), { a: 5.5 }, undefined],
    ["a string for a boolean", at("boolean", "a"), { a: "true" }, undefined],
  ])("%s", (_name, param, args, text) => {
    expect(headerParamValue(param, args)).toBe(text);
  });
});
