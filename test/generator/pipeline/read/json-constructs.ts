/** A schema for each construct of JSON Schema, as a definition `T` beside others, with values that it accepts or not. */
export interface Construct {
  readonly what: string;
  readonly schema: unknown;
  /** The model of `T`, as `show` prints it. */
  readonly model: string;
  /** The type of `T` in TypeScript, without whitespace that has no meaning. */
  readonly type: string;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

const ref = (name: string): object => ({ $ref: `#/definitions/${name}` });
const constant = (value: unknown): object => ({
  type: "object",
  properties: { kind: { const: value } },
  required: ["kind"],
});
const having = (...names: readonly string[]): object => ({ required: names });

/** The definitions to which the constructs refer. */
export const others = {
  Circle: {
    type: "object",
    properties: { kind: { const: "circle" }, radius: { type: "number" } },
    required: ["kind", "radius"],
  },
  Square: {
    type: "object",
    properties: { kind: { const: "square" }, side: { type: "number" } },
    required: ["kind", "side"],
  },
  Named: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  Sized: { type: "object", properties: { size: { type: "integer" } }, required: ["size"] },
  Any: {},
  Word: { type: "string", minLength: 1 },
  Tree: { type: "object", patternProperties: { "^[a-z]$": ref("Tree") }, additionalProperties: false },
};

export const constructs: readonly Construct[] = [
  {
    what: "required members whose types do not exclude undefined",
    schema: {
      type: "object",
      required: ["not", "any", "one"],
      properties: {
        not: { not: { type: "string" } },
        any: ref("Any"),
        one: { oneOf: [{ type: "string" }, { not: { type: "number" } }] },
      },
    },
    model: "{ not: not(string); any: Any; one: oneOf(string, not(number)) }",
    type: "{ not: unknown; any: Any; one: unknown; }",
    valid: [{ not: 1, any: 1, one: null }],
    invalid: [
      { any: 1, one: null },
      { not: 1, one: null },
      { not: 1, any: 1 },
    ],
  },
  {
    what: "oneOf with a tag",
    schema: { oneOf: [ref("Circle"), ref("Square")] },
    model: "Circle | Square",
    type: "Circle | Square",
    valid: [
      { kind: "circle", radius: 1 },
      { kind: "square", side: 1, radius: 2 },
    ],
    invalid: [{ kind: "circle" }, { kind: "oval" }, null],
  },
  {
    what: "oneOf of JSON types",
    schema: { oneOf: [{ type: "string" }, { type: "null" }, { type: "array", items: { type: "string" } }] },
    model: "string | null | string[]",
    type: "string | null | string[]",
    valid: ["", null, ["a"]],
    invalid: [1, [1], {}],
  },
  {
    what: "oneOf of literals",
    schema: { oneOf: [{ const: "a", description: "A" }, { const: "b" }] },
    model: '"a" | "b"',
    type: '"a" | "b"',
    valid: ["a", "b"],
    invalid: ["c", null],
  },
  {
    what: "oneOf that overlaps",
    schema: { oneOf: [ref("Named"), ref("Sized")] },
    model: "oneOf(Named, Sized)",
    type: "Named | Sized",
    valid: [{ name: "a" }, { size: 1 }, { name: "a", size: "x" }],
    invalid: [{ name: "a", size: 1 }, {}, 1],
  },
  {
    what: "oneOf of numbers",
    schema: {
      oneOf: [
        { type: "number", multipleOf: 3 },
        { type: "number", multipleOf: 5 },
      ],
    },
    model: "oneOf(number<multipleOf 3>, number<multipleOf 5>)",
    type: "number",
    valid: [3, 5, 9, 10],
    invalid: [15, 0, 1, "3"],
  },
  {
    what: "oneOf of equal schemas",
    schema: { oneOf: [{ type: "string" }, { type: "string" }] },
    model: "oneOf(string, string)",
    type: "string",
    valid: [],
    invalid: ["a", 1],
  },
  {
    what: "oneOf of closed objects",
    schema: {
      oneOf: [
        { type: "object", properties: { a: {} }, required: ["a"], additionalProperties: false },
        { type: "object", properties: { b: {} }, required: ["b"], additionalProperties: false },
      ],
    },
    model: "{ a: unknown; [key]: never } | { b: unknown; [key]: never }",
    type: "{ a: unknown; } | { b: unknown; }",
    valid: [{ a: 1 }, { b: 1 }],
    invalid: [{ a: 1, b: 1 }, {}, { a: 1, c: 1 }],
  },
  {
    what: "oneOf of requirements",
    schema: {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      oneOf: [having("a"), having("b")],
    },
    model: "allOf({ a?: string; b?: string }, oneOf({ a: unknown }, { b: unknown }))",
    type: "{ a?: string; b?: string; } & ({ a: unknown; } | { b: unknown; })",
    valid: [{ a: "x" }, { b: "x" }, { a: "x", c: 1 }],
    invalid: [{ a: "x", b: "x" }, {}, { a: 1 }, "a"],
  },
  {
    what: "oneOf in anyOf",
    schema: { anyOf: [{ oneOf: [ref("Named"), ref("Sized")] }, { type: "null" }] },
    model: "oneOf(Named, Sized) | null",
    type: "Named | Sized | null",
    valid: [{ name: "a" }, null],
    invalid: [{ name: "a", size: 1 }, 1],
  },
  {
    what: "a list of types",
    schema: { type: ["string", "null"], minLength: 2 },
    model: "string<minLength 2> | null",
    type: "string | null",
    valid: ["ab", null],
    invalid: ["a", 1, {}],
  },
  {
    what: "a list of types with objects and arrays",
    schema: {
      type: ["object", "array", "integer"],
      properties: { a: { type: "string" } },
      items: { type: "string" },
      minItems: 1,
      minimum: 2,
    },
    model: "{ a?: string } | string[1..] | integer(2..)",
    type: "{ a?: string; } | string[] | number",
    valid: [{}, { a: "x" }, ["a"], 2],
    invalid: [{ a: 1 }, [], [1], 1, "a", null],
  },
  {
    what: "nullable",
    schema: { type: "string", nullable: true },
    model: "string | null",
    type: "string | null",
    valid: ["", null],
    invalid: [1, {}],
  },
  {
    what: "an enumeration of mixed types",
    schema: { enum: ["a", 1, true, null] },
    model: '"a" | 1 | true | null',
    type: '"a" | 1 | true | null',
    valid: ["a", 1, true, null],
    invalid: ["b", 2, false, {}],
  },
  {
    what: "an enumeration whose type excludes some values",
    schema: { type: ["string", "null"], enum: ["a", 1, null] },
    model: '"a" | null',
    type: '"a" | null',
    valid: ["a", null],
    invalid: [1, "b"],
  },
  {
    what: "a constant of another type",
    schema: { type: "string", const: 1 },
    model: "never",
    type: "never",
    valid: [],
    invalid: [1, "1", null],
  },
  {
    what: "false as a member",
    schema: { type: "object", properties: { a: false, b: { not: {} } } },
    model: "{ a?: never; b?: never }",
    type: "{ a?: never; b?: never; }",
    valid: [{}, { c: 1 }],
    invalid: [{ a: 1 }, { b: null }],
  },
  {
    what: "lengths in code points",
    schema: { type: "string", minLength: 2, maxLength: 3 },
    model: "string<minLength 2, maxLength 3>",
    type: "string",
    valid: ["ab", "abc", "\u{1f600}\u{1f600}", "a\ud800"],
    invalid: ["a", "abcd", "\u{1f600}", 12],
  },
  {
    what: "a pattern",
    schema: { type: "string", pattern: "^[a-z/]+(-[a-z]+)*$" },
    model: "string<pattern ^[a-z/]+(-[a-z]+)*$>",
    type: "string",
    valid: ["a", "a-b", "a/b"],
    invalid: ["", "A", "a-", 1],
  },
  {
    what: "bounds of numbers",
    schema: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 10, multipleOf: 0.5 },
    model: "number<exclusiveMinimum 0, exclusiveMaximum 10, multipleOf 0.5>",
    type: "number",
    valid: [0.5, 9.5],
    invalid: [0, 10, 0.25, "1"],
  },
  {
    what: "unique items",
    schema: { type: "array", items: {}, uniqueItems: true, minItems: 1 },
    model: "unknown[1..]unique",
    type: "unknown[]",
    valid: [
      [1, "1", null, {}],
      [{ a: 1 }, { a: 2 }],
    ],
    invalid: [
      [],
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      {},
    ],
  },
  {
    what: "bounds of items and values",
    schema: {
      anyOf: [
        { type: "array", items: { type: "string", maxLength: 2 }, maxItems: 2 },
        { type: "object", additionalProperties: { type: "string", pattern: "^a" } },
      ],
    },
    model: "string<maxLength 2>[..2] | { [key]: string<pattern ^a> }",
    type: "string[] | { [key: string]: string }",
    valid: [[], ["ab"], { k: "a" }],
    invalid: [["abc"], ["a", "b", "c"], [1], { k: "b" }],
  },
  {
    what: "an array that must be empty",
    schema: { type: "array", items: false },
    model: "never[]",
    type: "never[]",
    valid: [[]],
    invalid: [[1], [null], {}],
  },
  {
    what: "bounds without a type",
    schema: { minLength: 2, minimum: 5 },
    model: "string<minLength 2> | number(5..) | boolean | null | unknown[] | object",
    type: "string | number | boolean | null | unknown[] | { [key: string]: unknown }",
    valid: ["ab", 5, true, null, [], {}],
    invalid: ["a", 4],
  },
  {
    what: "properties without a type",
    schema: { properties: { a: { type: "string" } }, required: ["a"] },
    model: "string | number | boolean | null | unknown[] | { a: string }",
    type: "string | number | boolean | null | unknown[] | { a: string; }",
    valid: [{ a: "" }, "x", [], null],
    invalid: [{}, { a: 1 }],
  },
  {
    what: "a closed object",
    schema: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
    model: "{ a?: string; [key]: never }",
    type: "{ a?: string; }",
    valid: [{}, { a: "" }],
    invalid: [{ b: 1 }, { a: 1 }, []],
  },
  {
    what: "an empty object",
    schema: { type: "object", additionalProperties: false },
    model: "{ [key]: never }",
    type: "{ [key: string]: never; }",
    valid: [{}],
    invalid: [{ a: 1 }, []],
  },
  {
    what: "additional members of another type",
    schema: { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "number" } },
    model: "{ a?: string; [key]: number }",
    type: "{ a?: string; [key: string]: unknown; }",
    valid: [{}, { a: "", b: 1 }],
    invalid: [{ b: "" }, { a: 1 }],
  },
  {
    what: "patternProperties",
    schema: {
      type: "object",
      patternProperties: { "^x-": { type: "string" }, "^n": { type: "number" } },
      additionalProperties: { type: "boolean" },
    },
    model: "entries(/^x-/: string; /^n/: number; [others]: boolean)",
    type: "{ [key: string]: string | number | boolean }",
    valid: [{}, { "x-a": "", n: 1, z: true }],
    invalid: [{ "x-a": 1 }, { n: "" }, { z: 1 }, []],
  },
  {
    what: "patternProperties beside listed members",
    schema: {
      type: "object",
      properties: { a: { type: "number" }, "x-b": { minLength: 2 } },
      required: ["a", "x-c"],
      patternProperties: { "^x-": { type: "string" } },
      additionalProperties: false,
    },
    model:
      "allOf({ a: number; x-b?: string<minLength 2> | number | boolean | null | unknown[] | object; x-c: unknown }, entries(/^x-/: string; [others but a x-b]: never))",
    type: '{ a: number; "x-b"?: string | number | boolean | null | unknown[] | { [key: string]: unknown }; "x-c": unknown; } & { [key: string]: unknown }',
    valid: [
      { a: 1, "x-c": "" },
      { a: 1, "x-c": "", "x-b": "ab" },
    ],
    invalid: [{ a: 1 }, { a: 1, "x-c": 1 }, { a: 1, "x-c": "", "x-b": "a" }, { a: 1, "x-c": "", z: 1 }],
  },
  {
    what: "names and numbers of members",
    schema: {
      type: "object",
      propertyNames: { maxLength: 2, pattern: "^[a-z]*$" },
      minProperties: 1,
      maxProperties: 2,
      additionalProperties: { type: "number" },
    },
    model:
      "allOf({ [key]: number }, entries(names: string<maxLength 2, pattern ^[a-z]*$>)<minProperties 1, maxProperties 2>)",
    type: "{ [key: string]: number }",
    valid: [{ a: 1 }, { a: 1, bc: 2 }],
    invalid: [{}, { a: 1, b: 1, c: 1 }, { abc: 1 }, { A: 1 }, { a: "" }],
  },
  {
    what: "a number of members only",
    schema: { type: "object", minProperties: 2 },
    model: "entries()<minProperties 2>",
    type: "{ [key: string]: unknown }",
    valid: [{ a: 1, b: 2 }],
    invalid: [{ a: 1 }, [1, 2]],
  },
  {
    what: "allOf of references and objects",
    schema: { allOf: [ref("Named"), { type: "object", properties: { age: { type: "integer" } } }] },
    model: "{ Named#name: string; age?: integer }",
    type: "{ name: string; age?: number; }",
    valid: [{ name: "" }, { name: "", age: 1 }],
    invalid: [{}, { name: "", age: 1.5 }, null],
  },
  {
    what: "allOf that narrows a member",
    schema: {
      allOf: [{ type: "object", properties: { kind: { type: "string" } }, required: ["kind"] }, constant("a")],
    },
    model: '{ kind: "a" }',
    type: '{ kind: "a"; }',
    valid: [{ kind: "a" }],
    invalid: [{}, { kind: "b" }],
  },
  {
    what: "allOf of closed objects",
    schema: {
      allOf: [
        { type: "object", properties: { a: {} }, additionalProperties: false },
        { type: "object", properties: { b: {} }, additionalProperties: { type: "string" } },
      ],
    },
    model: "allOf({ a?: unknown; [key]: never }, { b?: unknown; [key]: string })",
    type: "{ a?: unknown; } & { b?: unknown; [key: string]: unknown; }",
    valid: [{}, { a: "" }],
    invalid: [{ a: 1 }, { b: 1 }],
  },
  {
    what: "allOf of scalars",
    schema: { allOf: [{ type: "string", minLength: 1 }, { type: "string", maxLength: 2 }, { enum: ["a", "abc", ""] }] },
    model: 'allOf(string<minLength 1>, string<maxLength 2>, "a" | "abc" | "")',
    type: 'string & ("a" | "abc" | "")',
    valid: ["a"],
    invalid: ["", "abc", "b", 1],
  },
  {
    what: "allOf of a reference and a union",
    schema: { allOf: [ref("Named"), { anyOf: [ref("Circle"), ref("Square")] }] },
    model: "allOf(Named, Circle | Square)",
    type: "Named & (Circle | Square)",
    valid: [{ name: "", kind: "circle", radius: 1 }],
    invalid: [{ name: "" }, { kind: "circle", radius: 1 }],
  },
  {
    what: "a reference with siblings",
    schema: { $ref: "#/definitions/Word", maxLength: 3, description: "A word." },
    model: "allOf(Word, string<maxLength 3> | number | boolean | null | unknown[] | object)",
    type: "Word & (string | number | boolean | null | unknown[] | { [key: string]: unknown })",
    valid: ["a", "abc"],
    invalid: ["", "abcd", 1],
  },
  {
    what: "not",
    schema: { type: "string", not: { enum: ["a", "b"] } },
    model: 'allOf(string, not("a" | "b"))',
    type: "string",
    valid: ["c"],
    invalid: ["a", 1],
  },
  {
    what: "not of requirements",
    schema: { type: "object", not: having("a", "b") },
    model: "allOf(object, not({ a: unknown; b: unknown }))",
    type: "{ [key: string]: unknown }",
    valid: [{}, { a: 1 }],
    invalid: [{ a: 1, b: 1 }, 1],
  },
  {
    what: "if, then and else",
    schema: {
      type: "object",
      properties: { kind: { type: "string" } },
      required: ["kind"],
      if: { properties: { kind: { const: "a" } } },
      then: { required: ["x"] },
      else: { properties: { y: { type: "number" } } },
    },
    model: 'allOf({ kind: string }, { kind?: "a"; x: unknown } | allOf(not({ kind?: "a" }), { y?: number }))',
    type: '{ kind: string; } & ({ kind?: "a"; x: unknown; } | { y?: number; })',
    valid: [{ kind: "a", x: 1 }, { kind: "b" }, { kind: "b", y: 1 }, { kind: "a", x: 1, y: "" }],
    invalid: [{ kind: "a" }, { kind: "b", y: "" }, {}],
  },
  {
    what: "dependent members",
    schema: {
      type: "object",
      dependentRequired: { a: ["b"] },
      dependencies: { c: ["d"], e: { properties: { f: { type: "string" } } } },
    },
    model:
      "allOf(object, not({ a: unknown }) | { b: unknown }, not({ c: unknown }) | { d: unknown }, not({ e: unknown }) | { f?: string })",
    type: "{ [key: string]: unknown }",
    valid: [{}, { a: 1, b: 1 }, { b: 1 }, { e: 1, f: "" }],
    invalid: [{ a: 1 }, { c: 1 }, { e: 1, f: 1 }],
  },
  {
    what: "a recursive schema",
    schema: { type: "object", patternProperties: { "^t": ref("Tree") }, minProperties: 1 },
    model: "entries(/^t/: Tree)<minProperties 1>",
    type: "{ [key: string]: unknown }",
    valid: [{ t: {} }, { t: { a: { b: {} } } }, { z: 1 }],
    invalid: [{}, { t: { aa: {} } }, { t: { a: 1 } }],
  },
  {
    what: "names that look like code",
    schema: {
      type: "object",
      properties: { item: { type: "string", pattern: "[\u2028/`]" }, key: { const: "</script>" } },
      patternProperties: { "^item$": {}, "[/*]": { type: "number" } },
      additionalProperties: false,
    },
    model:
      'allOf({ item?: string<pattern [\u2028/`]>; key?: "</script>" }, entries(/^item$/: unknown; /[/*]/: number; [others but item key]: never))',
    type: '{ item?: string; key?: "</script>"; } & { [key: string]: unknown }',
    valid: [{ item: "/" }, { "*/": 1 }, {}],
    invalid: [{ item: "a" }, { "*/": "" }, { other: 1 }],
  },
];
