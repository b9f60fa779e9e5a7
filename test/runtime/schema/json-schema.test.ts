import { Validator } from "@cfworker/json-schema";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SdkError } from "../../../runtime/src/jsonrpc/errors.js";
import { ajvValidator } from "../../../runtime/src/json-schema.js";
import { cfworkerValidator } from "../../../runtime/src/json-schema-cfworker.js";
import type { JsonSchema, JsonSchemaValidator } from "../../../runtime/src/schema/json-schema-validator.js";

const engines: readonly [string, JsonSchemaValidator, JsonSchemaValidator][] = [
  ["ajv", ajvValidator({ untrusted: false }), ajvValidator()],
  ["cfworker", cfworkerValidator(Validator, { untrusted: false }), cfworkerValidator(Validator)],
];

const draft07 = "http://json-schema.org/draft-07/schema#";
const draft06 = "http://json-schema.org/draft-06/schema#";
const draft2019 = "https://json-schema.org/draft/2019-09/schema";
const tree = { type: "object", properties: { next: { $ref: "#" } }, required: ["v"] };
const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

/** Title, schema, valid values, invalid values. */
const verdicts: readonly [string, JsonSchema, unknown[], unknown[]][] = [
  ["true", true, [1, null, {}], []],
  ["false", false, [], [1, null]],
  ["type", { type: ["string", "null"] }, ["", null], [1, {}]],
  ["integer", { type: "integer" }, [1, 1.0, -3], [1.5, "1"]],
  ["multipleOf of a fraction", { multipleOf: 0.01 }, [19.99, 0, 0.07], [19.995]],
  [
    "required and additional",
    { required: ["a"], properties: { a: {} }, additionalProperties: false },
    [{ a: 1 }],
    [{}, { a: 1, b: 2 }],
  ],
  ["enum and const", { enum: [1, { a: [2] }] }, [1, { a: [2] }], [2, { a: [3] }]],
  ["prefixItems", { prefixItems: [{ type: "string" }], items: { type: "number" } }, [["a", 1], []], [[1], ["a", "b"]]],
  ["contains", { contains: { const: 1 }, minContains: 2 }, [[1, 1, 2]], [[1], []]],
  [
    "uniqueItems",
    { uniqueItems: true },
    [[1, "1", true, [1]], ["[1]", [1]], 5],
    [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  [
    "if, then, else",
    { if: { type: "string" }, then: { minLength: 2 }, else: { type: "number" } },
    ["ab", 1],
    ["a", null],
  ],
  ["not", { not: { type: "string" } }, [1], ["a"]],
  ["oneOf", { oneOf: [{ minimum: 2 }, { maximum: 3 }] }, [1, 4], [2]],
  [
    "unevaluatedProperties",
    { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  ["propertyNames", { propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  ["pattern", { pattern: "^\\p{Lu}+$" }, ["AÄ", 1], ["a"]],
  [
    "patternProperties",
    { patternProperties: { "^x": { type: "number" } }, additionalProperties: false },
    [{ x1: 1 }],
    [{ x1: "" }, { y: 1 }],
  ],
  ["$defs", { $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "string" } } }, ["a"], [1]],
  ["a percent-encoded reference", { $ref: "#/$defs/a%20b", $defs: { "a b": { type: "string" } } }, ["a"], [1]],
  ["$anchor", { $ref: "#text", $defs: { a: { $anchor: "text", type: "string" } } }, ["a"], [1]],
  ["a reference outside of keywords", { $ref: "#/components/a", components: { a: { type: "string" } } }, ["a"], [1]],
  ["a linked list", tree, [{ v: 1, next: { v: 2 } }], [{ v: 1, next: {} }]],
  ["keywords next to $ref", { $ref: "#/$defs/a", maxLength: 1, $defs: { a: { type: "string" } } }, ["a"], [1, "ab"]],
  [
    "keywords next to $ref in draft-07",
    {
      $schema: draft07,
      properties: { a: { $ref: "#/definitions/a", maxLength: 1 } },
      definitions: { a: { type: "string" } },
    },
    [{ a: "ab" }],
    [{ a: 1 }],
  ],
  [
    "items and additionalItems of draft-07",
    { $schema: draft07, items: [{ type: "string" }], additionalItems: false },
    [["a"]],
    [["a", 1], [1]],
  ],
  [
    "keywords that draft-07 lacks",
    { $schema: draft07, prefixItems: [false], dependentRequired: { a: ["b"] } },
    [[1], { a: 1 }],
    [],
  ],
  ["if of draft-07", { $schema: draft07, if: { type: "string" }, then: { minLength: 2 } }, ["ab", 1], ["a"]],
  ["draft-06", { $schema: draft06, exclusiveMinimum: 1, const: 2 }, [2], [1]],
  [
    "a $schema with https and without #",
    { $schema: "https://json-schema.org/draft-07/schema", type: "string" },
    ["a"],
    [1],
  ],
  ["unevaluatedItems of 2019-09", { $schema: draft2019, items: [{}], unevaluatedItems: false }, [[1]], [[1, 2]]],
  ["format", { format: "email" }, ["no address"], []],
  ["an unknown format", { type: "string", format: "nothing" }, ["a"], [1]],
  [
    "unknown keywords",
    { $async: true, id: "#x", nullable: true, discriminator: 1, "x-y": { type: 5 }, type: "string" },
    ["a"],
    [null],
  ],
  ["an unusual $id", { $id: "urn:x", type: "string" }, ["a"], [1]],
  ["a $id that is a meta-schema's", { $id: draft07, type: "string" }, ["a"], [1]],
  [
    "prototype keys in a value",
    { properties: { a: { type: "string" } }, additionalProperties: false },
    [{}],
    [json('{"__proto__":{"a":1}}'), { constructor: 1 }],
  ],
  ["required prototype keys", { required: ["constructor", "toString"] }, [{ constructor: 1, toString: 1 }], [{}]],
  [
    "a property with the name constructor",
    { properties: { constructor: { type: "string" } } },
    [{}, { constructor: "a" }],
    [{ constructor: 1 }],
  ],
  [
    "__proto__ among properties",
    json('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
    [{}, { a: 1 }],
    [1],
  ],
];

describe.each(engines)("%s", (name, own, peers) => {
  it.each(verdicts)("%s", (_name, schema, valid, invalid) => {
    const check = own.compile(schema);
    for (const value of valid) expect(check(value), JSON.stringify(value)).toEqual([]);
    for (const value of invalid) expect(check(value), JSON.stringify(value)).not.toEqual([]);
  });

  it("reports the position of an issue", () => {
    const check = own.compile({ properties: { "a/b ü": { items: { properties: { 0: { type: "string" } } } } } });
    expect(check({ "a/b ü": [{}, { 0: 1 }] })).toEqual([
      { path: ["a/b ü", 1, "0"], message: expect.stringMatching(/string/) as string },
    ]);
  });

  it("keeps schemas with the same $id apart", () => {
    const text = own.compile({ $id: "https://x.test/a", $defs: { s: { $id: "https://x.test/b" } }, type: "string" });
    const number = own.compile({ $id: "https://x.test/a", $defs: { s: { $id: "https://x.test/b" } }, type: "number" });
    expect([text("a"), number(1)]).toEqual([[], []]);
    expect([text(1).length, number("a").length]).toEqual([1, 1]);
  });

  it("changes neither the schema nor the value", () => {
    const schema = Object.freeze({ format: "x", properties: Object.freeze({ a: Object.freeze({ default: 1 }) }) });
    const value = Object.freeze({});
    expect(own.compile(schema)(value)).toEqual([]);
  });

  it("reports an issue for a value that is too deep", () => {
    let value: Record<string, unknown> = { v: 1 };
    for (let i = 0; i < 100_000; i++) value = { v: 1, next: value };
    expect(own.compile(tree)(value)).toEqual([{ path: [], message: "is nested too deeply to be checked" }]);
  });

  const deep = (levels: number): Record<string, unknown> => (levels === 0 ? {} : { not: deep(levels - 1) });
  let tooDeep: Record<string, unknown> = {};
  for (let i = 0; i < 10_000; i++) tooDeep = { not: tooDeep };
  const circular: Record<string, unknown> = { type: "object" };
  circular["not"] = circular;
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `d${i}`,
      { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  );
  const missing = "it references a subschema that does not exist at #/$ref";
  const self = "its references form a cycle on the same value";
  const outside = "it references another document, and references are never fetched at #/$ref";

  it.each<[string, unknown, string]>([
    ["a reference to itself", { $ref: "#" }, self],
    ["a cycle of references", { $ref: "#/$defs/a", $defs: { a: { anyOf: [{}, { $ref: "#" }] } } }, self],
    ["10,000 levels", tooDeep, "it is more than 64 levels deep"],
    ["a cycle of objects", circular, "it is more than 64 levels deep"],
    [
      "100,000 properties",
      { properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [i, true])) },
      "it has more than 5000 subschemas",
    ],
    ["100,000 names", { required: Array.from({ length: 100_000 }, String) }, "it has more than 50000 values"],
    ["a reference to the network", { $ref: "http://x.test/schema" }, outside],
    ["a reference to a file", { $ref: "other.json#/a" }, outside],
    ["a reference to its own $id", { $id: "https://x.test/a", $ref: "https://x.test/a" }, outside],
    ["a reference to a missing definition", { $ref: "#/$defs/a" }, missing],
    ["a missing anchor", { $ref: "#a" }, missing],
    ["a reference to an inherited property", { $ref: "#/constructor" }, missing],
    ["a reference to __proto__", { $ref: "#/__proto__" }, missing],
    ["a reference into data", { $ref: "#/default", default: { pattern: "(a+)+$" } }, missing],
    ["a reference that cannot be decoded", { $ref: "#/%" }, missing],
    [
      "an unknown dialect",
      { $schema: "https://x.test/schema" },
      'its $schema "https://x.test/schema" is not a supported dialect',
    ],
    ["draft-04", { $schema: "http://json-schema.org/draft-04/schema#" }, "is not a supported dialect"],
    [
      "a subschema with another dialect",
      { not: { $schema: draft07 } },
      "a subschema changes the dialect at #/not/$schema",
    ],
    [
      "an unknown type",
      { properties: { "a/b": { type: "text" } } },
      "the keyword has an invalid value at #/properties/a~1b/type",
    ],
    ["a schema that is a string", { items: "string" }, "a subschema is neither an object nor a boolean at #/items"],
    ["an empty list of schemas", { anyOf: [] }, "the keyword must be a non-empty array of schemas at #/anyOf"],
    ["a list for items in 2020-12", { items: [{}] }, "a subschema is neither an object nor a boolean at #/items"],
    ["properties that are a list", { properties: [] }, "the keyword must be an object at #/properties"],
    ["an invalid pattern", { pattern: "(" }, "the regExp engine does not support the pattern at #/pattern"],
    ["null", null, "it is neither an object nor a boolean"],
    ["a list", [], "it is neither an object nor a boolean"],
    ["a BigInt", { const: 1n }, "it is not JSON"],
  ])("rejects %s", (_name, schema, message) => {
    const error = errorOf(() => own.compile(schema as JsonSchema));
    expect(error.code).toBe("INVALID_CONFIGURATION");
    expect(error.message).toContain(message);
    expect(error.message).toMatch(/^this JSON Schema cannot be used: /);
  });

  const peersPattern = "patterns of an untrusted schema need a linear-time regExp engine";
  it.each<[string, JsonSchema, string]>([
    ["pattern", { properties: { a: { pattern: "^(a+)+$" } } }, `${peersPattern} at #/properties/a/pattern`],
    ["patternProperties", { patternProperties: { "^(a+)+$": {} } }, `${peersPattern} at #/patternProperties`],
    [
      "references that grow exponentially",
      { $ref: "#/$defs/d0", $defs: { ...doubling, d40: {} } },
      "checking a value may take too long",
    ],
    [
      "recursion that grows exponentially",
      { properties: { a: { allOf: [{ $ref: "#" }, { $ref: "#" }] } } },
      "checking a value may take too long",
    ],
  ])("rejects %s of a peer", (_name, schema, message) => {
    expect(errorOf(() => peers.compile(schema)).message).toContain(message);
  });

  it.each<[string, JsonSchema]>([
    ["a tree", { properties: { left: { $ref: "#" }, right: { $ref: "#" } } }],
    [
      "any JSON value",
      { anyOf: [{ type: "string" }, { items: { $ref: "#" } }, { additionalProperties: { $ref: "#" } }] },
    ],
    ["64 levels", deep(63)],
  ])("accepts %s of a peer", (_name, schema) => {
    expect(peers.compile(schema)).toBeTypeOf("function");
  });

  it("respects its bounds", () => {
    const bounds = { depth: 2, subschemas: 3, values: 4 };
    const validator = name === "ajv" ? ajvValidator(bounds) : cfworkerValidator(Validator, bounds);
    expect(errorOf(() => validator.compile(deep(3))).message).toContain("more than 2 levels");
    expect(errorOf(() => validator.compile({ anyOf: [true, true, true] })).message).toContain("more than 3 subschemas");
    expect(errorOf(() => validator.compile({ required: ["a", "b", "c"] })).message).toContain("more than 4 values");
  });

  it("compile throws only SdkError, and checks throw nothing, for any JSON", () => {
    const keyword = fc.constantFrom(
      "type",
      "properties",
      "items",
      "$ref",
      "allOf",
      "not",
      "$id",
      "$anchor",
      "enum",
      "required",
      "if",
      "$dynamicRef",
      "__proto__",
      "constructor",
      "pattern",
      "minimum",
      "dependencies",
      "unevaluatedProperties",
    );
    const leaf = fc.oneof(
      fc.constantFrom("string", "object", "#", "#a", "#/not", "", "a:b"),
      fc.boolean(),
      fc.integer(),
      fc.constant(null),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.dictionary(keyword, tie("value"), { maxKeys: 4, noNullPrototype: true }),
        fc.array(tie("value"), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.jsonValue(), (schema, instance) => {
        try {
          own.compile(schema as JsonSchema)(instance);
        } catch (error) {
          expect(error).toBeInstanceOf(SdkError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("ajv", () => {
  it("compares many items in linear time", { timeout: 5_000 }, () => {
    const items = Array.from({ length: 200_000 }, (_, i) => ({ i }));
    expect(ajvValidator().compile({ uniqueItems: true })(items)).toEqual([]);
  });

  it("follows $dynamicRef", () => {
    const check = ajvValidator().compile({
      $id: "https://x.test/strict-tree",
      $dynamicAnchor: "node",
      $ref: "#/$defs/tree",
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: "https://x.test/tree",
          $dynamicAnchor: "node",
          properties: { children: { items: { $dynamicRef: "#node" } } },
        },
      },
    });
    expect(check({ children: [{ children: [] }] })).toEqual([]);
    expect(check({ children: [{ daughters: [] }] })).toMatchObject([{ path: ["children", 0] }]);
  });

  it("runs patterns on the regExp engine, and rejects patterns that it does not support", () => {
    const seen: string[] = [];
    const validator = ajvValidator({
      regExp: (pattern) => {
        if (pattern.includes("(?=")) throw new Error("no lookahead");
        seen.push(pattern);
        return { test: (text) => text.startsWith("a") };
      },
    });
    const check = validator.compile({ pattern: "p1", patternProperties: { p2: { type: "string" } } });
    expect(new Set(seen)).toEqual(new Set(["p1", "p2"]));
    expect([check("ab").length, check("b").length, check({ ab: 1 }).length, check({ b: 1 }).length]).toEqual([
      0, 1, 1, 0,
    ]);
    expect(errorOf(() => validator.compile({ pattern: "(?=a)" })).message).toContain(
      "the regExp engine does not support the pattern",
    );
  });

  it.each([
    ["additionalProperties", { additionalProperties: false }, { z: 1 }, 'must NOT have additional properties: "z"'],
    ["enum", { enum: ["a", 1] }, 2, 'must be equal to one of the allowed values: ["a",1]'],
    ["const", { const: "a" }, 2, 'must be equal to constant: "a"'],
    ["required", { required: ["a"] }, {}, "must have required property 'a'"],
  ])("describes the problem: %s", (_name, schema, value, message) => {
    expect(ajvValidator().compile(schema)(value)).toEqual([{ path: [], message }]);
  });
});

describe("cfworker", () => {
  it("rejects keywords that the library does not support", () => {
    const validator = cfworkerValidator(Validator);
    expect(errorOf(() => validator.compile({ $dynamicRef: "#" })).message).toContain(
      "this validator does not support $dynamicRef",
    );
    expect(errorOf(() => validator.compile({ uniqueItems: true })).message).toContain(
      "this validator does not support uniqueItems",
    );
  });
});

describe("well-formed schemas", () => {
  const metaSchemas = [
    ["draft-07", draft07, new Ajv({ strict: false, validateFormats: false, logger: false })],
    ["2019-09", draft2019, new Ajv2019({ strict: false, validateFormats: false, logger: false })],
    [
      "2020-12",
      "https://json-schema.org/draft/2020-12/schema",
      new Ajv2020({ strict: false, validateFormats: false, logger: false }),
    ],
  ] as const;
  const plain = [
    "maxLength",
    "minItems",
    "multipleOf",
    "maximum",
    "uniqueItems",
    "required",
    "type",
    "const",
    "dependentRequired",
    "examples",
    "title",
    "minContains",
  ];
  const holding = [
    "items",
    "prefixItems",
    "additionalItems",
    "properties",
    "definitions",
    "allOf",
    "not",
    "contains",
    "dependencies",
    "dependentSchemas",
    "unevaluatedItems",
    "if",
  ];
  const value = fc.oneof(
    fc.constantFrom("string", "object", "", -1, 0, 1, 1.5, true, false, null),
    fc.constantFrom<unknown>(
      [],
      {},
      ["a"],
      ["a", "a"],
      ["string", "null"],
      { a: ["b"] },
      { a: {} },
      { a: 1 },
      [{}],
      [1],
      [true],
    ),
  );

  it.each(metaSchemas)("agrees with the meta-schema of %s", (_name, $schema, ajv) => {
    const ours = cfworkerValidator(Validator, { untrusted: false });
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...plain, ...holding), value, { maxKeys: 3, noNullPrototype: true }),
        (keywords) => {
          const schema = { ...keywords, $schema };
          expect([errorMessage(() => ours.compile(schema)) === undefined, schema]).toEqual([
            ajv.validateSchema(schema),
            schema,
          ]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

function errorMessage(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(SdkError);
    return (error as SdkError).message;
  }
}

function errorOf(act: () => unknown): SdkError {
  try {
    act();
  } catch (error) {
    if (error instanceof SdkError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
