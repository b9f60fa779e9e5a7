import { describe, expect, test } from "vitest";
import { format } from "../../../../generator/pipeline/format/format.js";
import { printTypes } from "../../../../generator/commands/bind/print-types.js";

const printed = async (schema: unknown): Promise<string> =>
  (await format("t.ts", await printTypes("T", schema, (wish) => wish))).trim();

const object = (properties: object, rest: object = {}) => ({ type: "object", properties, ...rest });

describe("types", () => {
  const table: readonly (readonly [string, unknown, string])[] = [
    ["anything", true, "export type T = unknown;"],
    ["nothing said", { description: "x" }, "export type T = unknown;"],
    ["a text", { type: "string" }, "export type T = string;"],
    ["one of several types", { type: ["string", "null"] }, "export type T = string | null;"],
    ["an enumeration", { enum: ["a", 1, null, true] }, 'export type T = "a" | 1 | null | true;'],
    ["a constant", { const: "a" }, 'export type T = "a";'],
    ["a list", { type: "array", items: { type: "integer" } }, "export type T = number[];"],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false, minItems: 2 },
      "export type T = [string, number];",
    ],
    [
      "an open tuple",
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
      "export type T = (string | number)[];",
    ],
    ["alternatives", { oneOf: [{ type: "string" }, { type: "number" }] }, "export type T = string | number;"],
    ["an alternative that allows everything", { anyOf: [{ type: "string" }, {}] }, "export type T = unknown;"],
    [
      "members",
      object({ a: { type: "string" }, b: {} }, { required: ["a"] }),
      "export interface T {\n  a: string;\n  b?: unknown;\n}",
    ],
    ["a member that is only required", object({}, { required: ["a"] }), "export interface T {\n  a: unknown;\n}"],
    ["a member that may not be there", object({ a: false, b: true }), "export interface T {\n  b?: unknown;\n}"],
    ["an object of which nothing is told", { type: "object" }, "export interface T {\n  [k: string]: unknown;\n}"],
    [
      "other members",
      object({ a: { type: "string" } }, { additionalProperties: { type: "number" } }),
      "export interface T {\n  a?: string;\n  [k: string]: number | string | undefined;\n}",
    ],
    [
      "members by pattern",
      object({ a: { type: "string" } }, { patternProperties: { "^x": { type: "number" } } }),
      "export interface T {\n  a?: string;\n  [k: string]: unknown;\n}",
    ],
    [
      "parts",
      { allOf: [object({ a: { type: "string" } }), object({ b: { type: "number" } })] },
      "export type T = {\n  a?: string;\n} & {\n  b?: number;\n};",
    ],
    [
      "references, also in a circle",
      object(
        { next: { $ref: "#" }, leaf: { $ref: "#/$defs/leaf" } },
        { $defs: { leaf: object({ up: { $ref: "#/$defs/leaf" } }) } },
      ),
      "export interface T {\n  next?: T;\n  leaf?: TLeaf;\n}\nexport interface TLeaf {\n  up?: TLeaf;\n}",
    ],
    [
      "references to what is no definition",
      object({ a: object({ b: { type: "string" } }), c: { $ref: "#/properties/a" } }),
      "export interface T {\n  a?: {\n    b?: string;\n  };\n  c?: TA;\n}\nexport interface TA {\n  b?: string;\n}",
    ],
    [
      "texts and what is deprecated",
      object({ a: { type: "string", description: "One.\nTwo.", deprecated: true } }, { description: "All." }),
      "/** All. */\nexport interface T {\n  /**\n   * @deprecated\n   * One.\n   * Two.\n   */\n  a?: string;\n}",
    ],
  ];
  test.each(table)("%s", async (_name, schema, expected) => {
    expect(await printed(schema)).toBe(expected);
  });
});

describe("keywords that json-schema-to-typescript interprets are removed", () => {
  const a = { type: "string", enum: ["x"] };
  const b = { type: "integer" };
  const plain = object({ a, b });
  const table: readonly (readonly [string, object])[] = [
    ["tsType", { tsType: "any; export const pwned = 1" }],
    ["tsEnumNames", { tsEnumNames: ["X"] }],
    ["customName", { customName: "Pwned" }],
    ["title", { title: "Pwned {} export const pwned = 1" }],
    ["$id", { $id: "http://127.0.0.1:9/pwned.json" }],
    ["id", { id: "Pwned" }],
    ["extends", { extends: { type: "object", properties: { pwned: {} } } }],
    ["goJSONSchema", { goJSONSchema: { type: "x" } }],
    ["$schema", { $schema: "http://127.0.0.1:9/" }],
    ["default", { default: "pwned" }],
    ["$dynamicRef", { $dynamicRef: "http://127.0.0.1:9/" }],
    ["unknown keywords", { pwned: { $ref: "file:///etc/passwd" } }],
    ["definitions that nothing refers to", { $defs: { Pwned: { $ref: "file:///etc/passwd" } } }],
  ];
  test.each(table)("%s", async (_name, extra) => {
    const evil = { ...plain, ...extra, properties: { a: { ...a, ...extra }, b: { ...b, ...extra } } };
    expect(await printed(evil)).toBe(await printed(plain));
  });
});

const nested = (depth: number): object => (depth === 0 ? {} : object({ a: nested(depth - 1) }));

test.each([
  ["a file", { $ref: "file:///etc/passwd" }, "it refers to file:///etc/passwd, which is outside the schema"],
  [
    "a URL",
    { $ref: "http://127.0.0.1:9/x.json#/a" },
    "it refers to http://127.0.0.1:9/x.json#/a, which is outside the schema",
  ],
  ["a neighbour", { $ref: "other.json" }, "it refers to other.json, which is outside the schema"],
  ["an anchor", { $ref: "#here" }, "it refers to #here, which is not a JSON Pointer"],
  ["nothing", { $ref: "#/$defs/a" }, "it refers to #/$defs/a, which does not exist"],
  ["a prototype's member", { $ref: "#/constructor" }, "it refers to #/constructor, which does not exist"],
  ["bad encoding", { $ref: "#/%zz" }, "a reference is not a valid URI fragment"],
  [
    "a circle",
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    "it refers to itself in a circle",
  ],
  ["a number", { $ref: 1 }, "a $ref is not a string"],
  ["depth", nested(60), "it is more than 48 levels deep"],
  [
    "size",
    object(Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`a${index}`, {}]))),
    "it has more than 2000 subschemas",
  ],
  ["a type that is none", { type: "text" }, '"text" is not a type'],
  ["a subschema that is none", object({ a: 1 }), "a subschema is neither an object nor a boolean"],
  ["properties that are none", { type: "object", properties: [] }, "its properties are not an object"],
  ["a list that is none", { anyOf: {} }, "a keyword that requires an array has another value"],
])("%s cannot be used", async (_name, schema, reason) => {
  await expect(printTypes("T", schema, (wish) => wish)).rejects.toThrow(reason);
});
